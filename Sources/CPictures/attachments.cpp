#include "attachments.h"

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

// Says that qpdf's old pointers are not used here.
#define POINTERHOLDER_TRANSITION 4
#include <qpdf/Pipeline.hh>
#include <qpdf/QPDF.hh>

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

/// Notices that there was no memory. qpdf takes an object for which there is none as a damaged one, and goes on without it.
class MemoryWatch {
public:
    MemoryWatch() : previous_(std::set_new_handler(note)) { has_failed = false; }
    ~MemoryWatch() { std::set_new_handler(previous_); }
    MemoryWatch(const MemoryWatch &) = delete;
    MemoryWatch &operator=(const MemoryWatch &) = delete;

    static inline bool has_failed = false;

private:
    [[noreturn]] static void note() {
        has_failed = true;
        throw std::bad_alloc();
    }

    std::new_handler previous_;
};

/// The attachments of a document, wherever they are named: in its tree of names, at an annotation, as a file that belongs to
/// something, or in a place that this program does not know.
///
/// All objects are searched, one by one, since readers differ in the ways in which they find attachments, and in what they
/// take for damaged.
class Attachments {
public:
    explicit Attachments(size_t most) : most_(most) {}

    void search(QPDF &document) {
        search(document.getTrailer());
        for (const QPDFObjectHandle &object : document.getAllObjects()) search(object);
    }

    /// The streams, each once.
    std::vector<QPDFObjectHandle> streams;
    /// How many attachments are named that are not there.
    size_t missing = 0;

private:
    /// Searches an object and what is written in it, but not what it refers to.
    void search(const QPDFObjectHandle &object) {
        std::vector<QPDFObjectHandle> rest = {object};
        while (!rest.empty()) {
            QPDFObjectHandle each = rest.back();
            rest.pop_back();
            if (each.isStream()) {
                QPDFObjectHandle dictionary = each.getDict();
                if (dictionary.getKey("/Type").isNameAndEquals("/EmbeddedFile")) add(each);
                rest.push_back(dictionary);
            } else if (each.isDictionary()) {
                std::map<std::string, QPDFObjectHandle> entries = each.getDictAsMap();
                for (const char *files : {"/EF", "/RF"}) {
                    const auto found = entries.find(files);
                    if (found != entries.end()) add_all(found->second);
                }
                for (const auto &entry : entries) push(entry.second, rest);
            } else if (each.isArray()) {
                for (const QPDFObjectHandle &element : each.getArrayAsVector()) push(element, rest);
            }
        }
    }

    static void push(QPDFObjectHandle object, std::vector<QPDFObjectHandle> &rest) {
        if (!object.isIndirect() && (object.isDictionary() || object.isArray())) rest.push_back(object);
    }

    /// Adds the embedded files of a file specification (ISO 32000-1, 7.11.4), or its related files, which are lists of a name
    /// and a stream.
    void add_all(QPDFObjectHandle files) {
        if (!files.isDictionary()) {
            add(files);
            return;
        }
        for (const auto &file : files.getDictAsMap()) {
            QPDFObjectHandle value = file.second;
            if (value.isArray()) {
                for (QPDFObjectHandle element : value.getArrayAsVector())
                    if (!element.isString()) add(element);
            } else {
                add(value);
            }
        }
    }

    void add(QPDFObjectHandle stream) {
        if (stream.isNull() && !stream.isIndirect()) return;
        if (!stream.isStream()) {
            missing++;
            return;
        }
        if (!seen_.insert(stream.getObjGen()).second) return;
        if (streams.size() == most_) throw TooMany();
        streams.push_back(stream);
    }

    size_t most_;
    std::set<QPDFObjGen> seen_;
};

bool is_picture_filter(QPDFObjectHandle filter) {
    for (const char *name : {"/DCTDecode", "/JPXDecode", "/CCITTFaxDecode", "/JBIG2Decode"})
        if (filter.isNameAndEquals(name)) return true;
    return false;
}

/// Takes the filters of pictures off the end of a stream's list. Some readers do so too, and get the bytes of a picture, or a
/// card that is declared as one.
void remove_picture_filters(QPDFObjectHandle stream) {
    QPDFObjectHandle dictionary = stream.getDict(), filter = dictionary.getKey("/Filter");
    std::vector<QPDFObjectHandle> filters =
        filter.isArray() ? filter.getArrayAsVector() : std::vector<QPDFObjectHandle>{filter};
    const size_t count = filters.size();
    while (!filters.empty() && is_picture_filter(filters.back())) filters.pop_back();
    if (filters.size() == count) return;
    if (filters.empty()) {
        dictionary.removeKey("/Filter");
        dictionary.removeKey("/DecodeParms");
        return;
    }
    dictionary.replaceKey("/Filter", QPDFObjectHandle::newArray(filters));
    QPDFObjectHandle parameters = dictionary.getKey("/DecodeParms");
    if (!parameters.isArray()) return;
    std::vector<QPDFObjectHandle> kept = parameters.getArrayAsVector();
    kept.resize(std::min(kept.size(), filters.size()));
    dictionary.replaceKey("/DecodeParms", QPDFObjectHandle::newArray(kept));
}

/// Decodes an attachment. Returns false if it cannot be read to its end.
bool read(QPDFObjectHandle stream, Collector &collector) {
    try {
        remove_picture_filters(stream);
        bool is_decoded = false;
        return stream.pipeStreamData(&collector, &is_decoded, 0, qpdf_dl_specialized, true, true) && is_decoded;
    } catch (const std::bad_alloc &) {
        throw TooLarge();
    } catch (const std::exception &) {
        return false;
    }
}

}  // namespace

attachments_result attachments_each(
    const uint8_t *bytes, size_t size, int32_t most, size_t most_bytes,
    void (*use)(void *context, const uint8_t *bytes, size_t size), void *context, attachments_left_out *left_out) {
    *left_out = {0, false};
    MemoryWatch watch;
    try {
        QPDF document;
        document.setSuppressWarnings(true);
        document.processMemoryFile("document", reinterpret_cast<const char *>(bytes), size);
        Attachments attachments(static_cast<size_t>(most));
        attachments.search(document);
        size_t unread = attachments.missing;
        for (QPDFObjectHandle &stream : attachments.streams) {
            Collector collector(most_bytes);
            if (read(stream, collector))
                use(context, reinterpret_cast<const uint8_t *>(collector.bytes.data()), collector.bytes.size());
            else
                unread++;
        }
        left_out->unread = static_cast<int32_t>(std::min<size_t>(unread, 1000));
        left_out->may_be_more = document.anyWarnings();
        return MemoryWatch::has_failed ? attachments_too_large : attachments_read;
    } catch (const TooLarge &) {
        return attachments_too_large;
    } catch (const TooMany &) {
        return attachments_too_many;
    } catch (const std::bad_alloc &) {
        return attachments_too_large;
    } catch (const std::exception &) {
        return MemoryWatch::has_failed ? attachments_too_large : attachments_damaged;
    }
}
