#include "moreau/web/page.hpp"

#include "moreau/web/bundle.hpp"  // made by CMake from src/web

namespace moreau::web {

std::string page_style() { return bundled_style; }

std::string page_script() { return bundled_script; }

std::string page_html() {
  std::string html = bundled_html;
  const auto put = [&](const std::string& mark, const std::string& text) { html.replace(html.find(mark), mark.size(), text); };
  put("<!--style-->", "<style>" + page_style() + "</style>");
  put("<!--script-->", "<script src=\"viewer.js\"></script>");
  return html;
}

}  // namespace moreau::web
