extension [Record] {
    /// Numbers the vaccinations of one kind and person by date, where there are several.
    ///
    /// Of one kind are those whose codes are in one group, or else have the same first code. What does not
    /// count (`Record.objection`), or names nobody on the card, is left out; what has no date counts, but is not numbered.
    mutating func setOrderOnCard(names: CodeNames) {
        var series: [VaccinationKind: [(record: Int, date: FHIRDate?)]] = [:]
        for (index, record) in enumerated() where record.isVaccination {
            guard let subject = record.subjectIndex, let code = record.codes.first?.canonical else { continue }
            let group = record.codes.lazy.compactMap { names.group(of: $0) }.first
            let kind = VaccinationKind(subject: subject, group: group, code: group == nil ? code : nil)
            series[kind, default: []].append((index, record.fhirDate))
        }
        for members in series.values where members.count > 1 {
            let dated = members.compactMap { member in member.date.map { (record: member.record, date: $0) } }
                .sorted { one, other in
                    one.date.isEarlier(than: other.date)
                        || !other.date.isEarlier(than: one.date) && one.record < other.record
                }
            for (position, member) in dated.enumerated() {
                self[member.record].orderOnCard = OrderOnCard(position: position + 1, count: members.count)
            }
        }
    }
}

extension Record {
    fileprivate var isVaccination: Bool { type == .immunization && objection == nil }
}
