#include "data.h"

// #embed is of C23. SwiftPM compiles C in an older edition, in which clang has it too.
#pragma clang diagnostic ignored "-Wc23-extensions"

// The function that returns the bytes of an array.
#define RETURNS(name)                               \
    const uint8_t *data_##name(size_t *size) {      \
        *size = sizeof(name);                       \
        return name;                                \
    }

static const uint8_t covid19_icd11[] = {
#embed "data/covid19-icd11.txt"
};
RETURNS(covid19_icd11)

static const uint8_t covid19_loinc[] = {
#embed "data/covid19-loinc.txt"
};
RETURNS(covid19_loinc)

static const uint8_t covid19_snomed[] = {
#embed "data/covid19-snomed.txt"
};
RETURNS(covid19_snomed)

static const uint8_t cvx[] = {
#embed "data/cvx.txt"
};
RETURNS(cvx)

static const uint8_t eu_country[] = {
#embed "data/eu-country.txt"
};
RETURNS(eu_country)

static const uint8_t eu_device[] = {
#embed "data/eu-device.txt"
};
RETURNS(eu_device)

static const uint8_t eu_disease[] = {
#embed "data/eu-disease.txt"
};
RETURNS(eu_disease)

static const uint8_t eu_holder[] = {
#embed "data/eu-holder.txt"
};
RETURNS(eu_holder)

static const uint8_t eu_product[] = {
#embed "data/eu-product.txt"
};
RETURNS(eu_product)

static const uint8_t eu_prophylaxis[] = {
#embed "data/eu-prophylaxis.txt"
};
RETURNS(eu_prophylaxis)

static const uint8_t eu_test_result[] = {
#embed "data/eu-test-result.txt"
};
RETURNS(eu_test_result)

static const uint8_t eu_test_type[] = {
#embed "data/eu-test-type.txt"
};
RETURNS(eu_test_type)

static const uint8_t guide_codes[] = {
#embed "data/guide-codes.txt"
};
RETURNS(guide_codes)

static const uint8_t who_icd11[] = {
#embed "data/who-icd11.txt"
};
RETURNS(who_icd11)

static const uint8_t who_products[] = {
#embed "data/who-products.txt"
};
RETURNS(who_products)

static const uint8_t mvx[] = {
#embed "data/mvx.txt"
};
RETURNS(mvx)

static const uint8_t option_help[] = {
#embed "data/option-help.txt"
};
RETURNS(option_help)

static const uint8_t profile_carin[] = {
#embed "data/profile-carin.txt"
};
RETURNS(profile_carin)

static const uint8_t profile_guide[] = {
#embed "data/profile-guide.txt"
};
RETURNS(profile_guide)

static const uint8_t profile_ktc[] = {
#embed "data/profile-ktc.txt"
};
RETURNS(profile_ktc)

static const uint8_t profile_usa[] = {
#embed "data/profile-usa.txt"
};
RETURNS(profile_usa)

static const uint8_t resource_types[] = {
#embed "data/resource-types.txt"
};
RETURNS(resource_types)

static const uint8_t results_loinc[] = {
#embed "data/results-loinc.txt"
};
RETURNS(results_loinc)

static const uint8_t results_snomed[] = {
#embed "data/results-snomed.txt"
};
RETURNS(results_snomed)

static const uint8_t rules[] = {
#embed "data/rules.txt"
};
RETURNS(rules)

static const uint8_t structure[] = {
#embed "data/structure.txt"
};
RETURNS(structure)

static const uint8_t trade_names[] = {
#embed "data/trade-names.txt"
};
RETURNS(trade_names)

// The look of pages, and the scripts of completion for shells.
static const uint8_t style[] = {
#embed "data/style.css"
};
RETURNS(style)

static const uint8_t completion_bash[] = {
#embed "data/completion.bash"
};
RETURNS(completion_bash)

static const uint8_t completion_zsh[] = {
#embed "data/completion.zsh"
};
RETURNS(completion_zsh)

static const uint8_t completion_fish[] = {
#embed "data/completion.fish"
};
RETURNS(completion_fish)

static const uint8_t specification[] = {
#embed "../../docs/specification.md"
};
RETURNS(specification)

static const uint8_t explanations[] = {
#embed "../../docs/explanations.md"
};
RETURNS(explanations)

// One array of JSON: the definitions, then the schemas that refer to them.
static const uint8_t schemas[] = {
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
};
RETURNS(schemas)

// What the Swift types of all schemas need.
static const uint8_t swift_types[] = {
#embed "../../Schemas/types.swift"
};
RETURNS(swift_types)
