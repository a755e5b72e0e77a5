// What is sent back for a path of the page's own address space. Server and offline file ask the same places.
#pragma once

#include <string>

namespace moreau::web {

struct Answer {
  int status = 200;
  std::string type;  // of the content
  std::string body;
};

inline Answer parcel_answer(std::string bytes) { return {200, "application/octet-stream", std::move(bytes)}; }
inline Answer json_answer(std::string text, int status = 200) { return {status, "application/json", std::move(text)}; }
// One sentence, as JSON: {"error": "..."}.
Answer error_answer(int status, const std::string& sentence);

}  // namespace moreau::web
