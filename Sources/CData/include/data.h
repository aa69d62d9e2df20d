#ifndef DATA_H
#define DATA_H

#include <stddef.h>
#include <stdint.h>

// Files of data that are part of the program. Each function returns the bytes of one, which are never freed, and sets their number.
//
// To add a file, put it in data/ (or name another file of the repository), embed it in data.c, and declare its function here. Swift reads it
// through `EmbeddedFile` in `Bytes`.

#pragma clang assume_nonnull begin

const uint8_t *data_command_help(size_t *size);
const uint8_t *data_covid19_icd11(size_t *size);
const uint8_t *data_covid19_loinc(size_t *size);
const uint8_t *data_covid19_snomed(size_t *size);
const uint8_t *data_cvx(size_t *size);
const uint8_t *data_eu_country(size_t *size);
const uint8_t *data_eu_device(size_t *size);
const uint8_t *data_eu_disease(size_t *size);
const uint8_t *data_eu_holder(size_t *size);
const uint8_t *data_eu_product(size_t *size);
const uint8_t *data_eu_prophylaxis(size_t *size);
const uint8_t *data_eu_test_result(size_t *size);
const uint8_t *data_eu_test_type(size_t *size);
const uint8_t *data_guide_codes(size_t *size);
const uint8_t *data_who_icd11(size_t *size);
const uint8_t *data_who_products(size_t *size);
const uint8_t *data_mvx(size_t *size);
const uint8_t *data_option_help(size_t *size);
const uint8_t *data_profile_carin(size_t *size);
const uint8_t *data_profile_guide(size_t *size);
const uint8_t *data_profile_ktc(size_t *size);
const uint8_t *data_profile_usa(size_t *size);
const uint8_t *data_resource_types(size_t *size);
const uint8_t *data_results_loinc(size_t *size);
const uint8_t *data_results_snomed(size_t *size);
const uint8_t *data_rules(size_t *size);
const uint8_t *data_structure(size_t *size);
const uint8_t *data_trade_names(size_t *size);
const uint8_t *data_style(size_t *size);
const uint8_t *data_completion_bash(size_t *size);
const uint8_t *data_completion_zsh(size_t *size);
const uint8_t *data_completion_fish(size_t *size);
const uint8_t *data_specification(size_t *size);
const uint8_t *data_explanations(size_t *size);
const uint8_t *data_schemas(size_t *size);
const uint8_t *data_swift_types(size_t *size);

#pragma clang assume_nonnull end

#endif
