#include "attachments.h"

#include <algorithm>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

// Says that qpdf's old pointers are not used here.
#define POINTERHOLDER_TRANSITION 4
#include <qpdf/Pipeline.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFEmbeddedFileDocumentHelper.hh>
#include <qpdf/QPDFFileSpecObjectHelper.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>

namespace {

struct TooLarge {};
struct TooMany {};

/// Keeps the decoded content, up to a limit. So an attachment that inflates to gigabytes takes no memory.
class Collector : public Pipeline {
public:
    explicit Collector(size_t most) : Pipeline("attachment", nullptr), most_(most) {}

    void write(unsigned char const *data, size_t count) override {
        if (count > most_ - bytes.size()) throw TooLarge();
        bytes.append(reinterpret_cast<const char *>(data), count);
    }

    void finish() override {}

    std::string bytes;

private:
    size_t most_;
};

/// The streams of all attachments, each once.
std::vector<QPDFObjectHandle> streams(QPDF &document, size_t most, int32_t most_pages) {
    std::vector<QPDFObjectHandle> found;
    std::set<QPDFObjGen> seen;
    const auto add = [&](QPDFObjectHandle stream) {
        if (!stream.isStream() || !seen.insert(stream.getObjGen()).second) return;
        if (found.size() == most) throw TooMany();
        found.push_back(stream);
    };
    QPDFEmbeddedFileDocumentHelper embedded(document);
    if (embedded.hasEmbeddedFiles())
        for (const auto &file : embedded.getEmbeddedFiles()) add(file.second->getEmbeddedFileStream());
    int32_t pages = 0;
    for (auto &page : QPDFPageDocumentHelper(document).getAllPages()) {
        if (pages++ == most_pages) break;
        QPDFObjectHandle annotations = page.getObjectHandle().getKey("/Annots");
        if (!annotations.isArray()) continue;
        for (int index = 0; index < std::min(annotations.getArrayNItems(), 1000); index++) {
            QPDFObjectHandle annotation = annotations.getArrayItem(index);
            if (!annotation.isDictionary() || !annotation.getKey("/FS").isDictionary()) continue;
            QPDFObjectHandle file = annotation.getKey("/FS").getKey("/EF");
            if (file.isDictionary()) add(file.getKey("/F"));
        }
    }
    return found;
}

}  // namespace

attachments_result attachments_each(
    const uint8_t *bytes, size_t size, int32_t most, size_t most_bytes, int32_t most_pages,
    void (*use)(void *context, const uint8_t *bytes, size_t size), void *context) {
    try {
        QPDF document;
        document.setSuppressWarnings(true);
        document.processMemoryFile("document", reinterpret_cast<const char *>(bytes), size);
        for (QPDFObjectHandle &stream : streams(document, static_cast<size_t>(most), most_pages)) {
            Collector collector(most_bytes);
            bool has_failed = true;
            try {
                has_failed = !stream.pipeStreamData(&collector, 0, qpdf_dl_generalized, true, true);
            } catch (const std::bad_alloc &) {
                throw TooLarge();
            } catch (const std::exception &) {
            }
            if (!has_failed)
                use(context, reinterpret_cast<const uint8_t *>(collector.bytes.data()), collector.bytes.size());
        }
        return attachments_read;
    } catch (const TooLarge &) {
        return attachments_too_large;
    } catch (const TooMany &) {
        return attachments_too_many;
    } catch (const std::bad_alloc &) {
        return attachments_too_large;
    } catch (const std::exception &) {
        return attachments_damaged;
    }
}
