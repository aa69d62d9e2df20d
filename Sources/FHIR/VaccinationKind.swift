import JSON

/// What vaccinations that are counted together have in common.
struct VaccinationKind: Hashable {
    let subject: Int
    let group: UTF8Text?
    let code: Code?
}
