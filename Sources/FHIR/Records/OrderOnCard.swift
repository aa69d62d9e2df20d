import Encodings

/// The position of a vaccination, by date, among those of one kind on the card.
///
/// It is not a dose number, because the person may have had doses that are not on the card.
public struct OrderOnCard: Sendable, Hashable, CustomStringConvertible {
    /// The position, from 1.
    public let position: Int
    /// The number of these vaccinations on the card.
    public let count: Int

    /// The position in words, such as `2 of 3`.
    public var description: String { "\(position) of \(count)" }
}

extension [Record] {
    /// The criteria by which vaccinations are counted together.
    private struct VaccinationKind: Hashable {
        let subject: Int
        let group: UTF8Text?
        let code: Code?
    }

    /// Numbers the vaccinations of one kind and person by date, if there are several.
    ///
    /// Vaccinations are of one kind if their codes are in the same vaccine group or, without a group, if their first
    /// codes are the same. A vaccination is left out if it does not count (`Record.objection`), or if it refers to
    /// nobody on the card. One without a date counts, but gets no number.
    mutating func setOrderOnCard(names: CodeNames) {
        var series: [VaccinationKind: [(record: Int, date: FHIRDate?)]] = [:]
        for (index, record) in enumerated() where record.type == .immunization && record.lastingObjection == nil {
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
