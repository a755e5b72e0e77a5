// A file that the user has named, outside of any run: a picture, a table, a page.
#pragma once

#include <filesystem>
#include <string_view>

namespace moreau::inline store {

// Complete or as it was before: a full disk leaves no half of it. A link is followed to the file it points to; what is no regular
// file (/dev/null, /dev/stdout, a pipe) is written into and never replaced. Throws StoreError.
void write_output(const std::filesystem::path& path, std::string_view bytes);

// The path behind links, as far as they lead; the last one need not exist.
std::filesystem::path behind_links(std::filesystem::path path);

}  // namespace moreau::inline store
