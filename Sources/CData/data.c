#include "data.h"
// #embed is of C23. SwiftPM compiles C in an older edition, in which clang has it too.
#pragma clang diagnostic ignored "-Wc23-extensions"
// An array with the bytes of a file, and the function that returns it.
#define BEGIN(name) static const uint8_t name[] = {
#define END(name)                              \
    };                                         \
    const uint8_t *data_##name(size_t *size) { \
        *size = sizeof(name);                  \
        return name;                           \
    }

BEGIN(command_help)
#embed "data/command-help.txt"
END(command_help)
BEGIN(covid19_icd11)
#embed "data/covid19-icd11.txt"
END(covid19_icd11)
BEGIN(covid19_loinc)
#embed "data/covid19-loinc.txt"
END(covid19_loinc)
BEGIN(covid19_snomed)
#embed "data/covid19-snomed.txt"
END(covid19_snomed)
BEGIN(cvx)
#embed "data/cvx.txt"
END(cvx)
BEGIN(eu_country)
#embed "data/eu-country.txt"
END(eu_country)
BEGIN(eu_device)
#embed "data/eu-device.txt"
END(eu_device)
BEGIN(eu_disease)
#embed "data/eu-disease.txt"
END(eu_disease)
BEGIN(eu_holder)
#embed "data/eu-holder.txt"
END(eu_holder)
BEGIN(eu_product)
#embed "data/eu-product.txt"
END(eu_product)
BEGIN(eu_prophylaxis)
#embed "data/eu-prophylaxis.txt"
END(eu_prophylaxis)
BEGIN(eu_test_result)
#embed "data/eu-test-result.txt"
END(eu_test_result)
BEGIN(eu_test_type)
#embed "data/eu-test-type.txt"
END(eu_test_type)
BEGIN(guide_codes)
#embed "data/guide-codes.txt"
END(guide_codes)
BEGIN(who_icd11)
#embed "data/who-icd11.txt"
END(who_icd11)
BEGIN(who_products)
#embed "data/who-products.txt"
END(who_products)
BEGIN(mvx)
#embed "data/mvx.txt"
END(mvx)
BEGIN(option_help)
#embed "data/option-help.txt"
END(option_help)
BEGIN(profile_carin)
#embed "data/profile-carin.txt"
END(profile_carin)
BEGIN(profile_guide)
#embed "data/profile-guide.txt"
END(profile_guide)
BEGIN(profile_ktc)
#embed "data/profile-ktc.txt"
END(profile_ktc)
BEGIN(profile_usa)
#embed "data/profile-usa.txt"
END(profile_usa)
BEGIN(resource_types)
#embed "data/resource-types.txt"
END(resource_types)
BEGIN(results_loinc)
#embed "data/results-loinc.txt"
END(results_loinc)
BEGIN(results_snomed)
#embed "data/results-snomed.txt"
END(results_snomed)
BEGIN(rules)
#embed "data/rules.txt"
END(rules)
BEGIN(structure)
#embed "data/structure.txt"
END(structure)
BEGIN(trade_names)
#embed "data/trade-names.txt"
END(trade_names)
// The look of pages, and the scripts of completion for shells.
BEGIN(style)
#embed "data/style.css"
END(style)
BEGIN(completion_bash)
#embed "data/completion.bash"
END(completion_bash)
BEGIN(completion_zsh)
#embed "data/completion.zsh"
END(completion_zsh)
BEGIN(completion_fish)
#embed "data/completion.fish"
END(completion_fish)
BEGIN(specification)
#embed "../../docs/specification.md"
END(specification)
BEGIN(explanations)
#embed "../../docs/explanations.md"
END(explanations)
// One array of JSON: the definitions, then the schemas that refer to them.
BEGIN(schemas)
    '[',
#embed "../../Schemas/definitions.json"
    , ',',
#embed "../../Schemas/verify.json"
    , ',',
#embed "../../Schemas/batch.json"
    , ',',
#embed "../../Schemas/batch-fields.json"
    , ',',
#embed "../../Schemas/records.json"
    , ',',
#embed "../../Schemas/records-lines.json"
    , ',',
#embed "../../Schemas/lint.json"
    , ',',
#embed "../../Schemas/lint-lines.json"
    , ',',
#embed "../../Schemas/lint-rules.json"
    , ',',
#embed "../../Schemas/inspect.json"
    , ',',
#embed "../../Schemas/directory-show.json"
    , ',',
#embed "../../Schemas/directory-audit.json"
    , ',',
#embed "../../Schemas/directory-diff.json"
    , ',',
#embed "../../Schemas/codes-show.json"
    , ',',
#embed "../../Schemas/status.json"
    , ']'
END(schemas)
// What the Swift types of all schemas need.
BEGIN(swift_types)
#embed "../../Schemas/types.swift"
END(swift_types)
