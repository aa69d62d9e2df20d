/// What vaccinations that are counted together have in common.
struct VaccinationKind: Hashable {
    let subject: Int?
    let group: String?
    let code: Code?
}
