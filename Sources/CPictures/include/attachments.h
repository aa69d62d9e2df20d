// The attachments of PDF documents, by qpdf.

#ifndef ATTACHMENTS_H
#define ATTACHMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How reading the attachments ended.
typedef enum attachments_result {
    /// All attachments were passed on, but those that are counted as unread.
    attachments_read,
    /// The document is damaged, or needs a password.
    attachments_damaged,
    /// There are more attachments than the limit.
    attachments_too_many,
    /// An attachment is larger than the limit, or there is not enough memory for the document.
    attachments_too_large,
} attachments_result;

/// What was not passed on although the result is `attachments_read`.
typedef struct attachments_left_out {
    /// The number of attachments that cannot be read: they are damaged, not there, or have a filter that is not known.
    int32_t unread;
    /// Whether a part of the document is damaged, so that there may be attachments that were not found.
    bool may_be_more;
} attachments_left_out;

/// Passes on the contents of all attachments, wherever in the document they are named.
///
/// - Parameters:
///   - most: the limit on the number of attachments.
///   - most_bytes: the limit on the size of one.
///   - use: is called with the content of each attachment, and with `context`.
///   - left_out: is set to what could not be passed on.
attachments_result attachments_each(
    const uint8_t *bytes, size_t size, int32_t most, size_t most_bytes,
    void (*use)(void *context, const uint8_t *bytes, size_t size), void *context, attachments_left_out *left_out);

#ifdef __cplusplus
}
#endif
#endif
