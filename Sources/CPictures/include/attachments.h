// The attachments of PDF documents, by qpdf.

#ifndef ATTACHMENTS_H
#define ATTACHMENTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How reading the attachments ended.
typedef enum attachments_result {
    /// All attachments were passed on.
    attachments_read,
    /// The document is damaged, or needs a password.
    attachments_damaged,
    /// There are more attachments than the limit.
    attachments_too_many,
    /// An attachment is larger than the limit, or there is not enough memory for it.
    attachments_too_large,
} attachments_result;

/// Passes on the contents of all attachments: those of the document, and those of annotations on its first pages.
///
/// An attachment that cannot be read is left out.
///
/// - Parameters:
///   - most: the limit on the number of attachments.
///   - most_bytes: the limit on the size of one.
///   - most_pages: how many pages are searched for annotations.
///   - use: is called with the content of each attachment, and with `context`.
attachments_result attachments_each(
    const uint8_t *bytes, size_t size, int32_t most, size_t most_bytes, int32_t most_pages,
    void (*use)(void *context, const uint8_t *bytes, size_t size), void *context);

#ifdef __cplusplus
}
#endif
#endif
