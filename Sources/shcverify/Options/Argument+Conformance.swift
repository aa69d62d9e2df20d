// These types are public, so that what they conform to has to be seen with them.
public import ArgumentParser
public import Conformance

extension LintKind: ExpressibleByArgument {}
extension LintPolicy.Profile: ExpressibleByArgument {}
extension Severity: ExpressibleByArgument {}
