// The page: TypeScript of src/web with three.js, bundled when the program is built.
#pragma once

#include <string>

namespace moreau::web {

std::string page_html();    // refers to viewer.js beside it
std::string page_script();  // viewer.js
std::string page_style();

// Nothing from elsewhere, and no other place may be asked.
inline constexpr const char* page_policy =
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; "
    "media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self' http://127.0.0.1:* http://localhost:*";

}  // namespace moreau::web
