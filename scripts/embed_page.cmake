# Writes script, page and style of the viewer into a header, as texts.
#   cmake -DSCRIPT=viewer.js -DSOURCE=src/web -DHEADER=bundle.hpp -P embed_page.cmake
set(names bundled_script bundled_html bundled_style)
set(pieces ${SCRIPT} ${SOURCE}/page.html ${SOURCE}/page.css)
file(WRITE ${HEADER}.tmp "// Written by scripts/embed_page.cmake.\n#pragma once\n")
# Clang warns of texts beyond 65536 characters, which the standard does not promise and every compiler takes.
file(APPEND ${HEADER}.tmp "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n")
foreach(name piece IN ZIP_LISTS names pieces)
  file(READ ${piece} text)
  file(APPEND ${HEADER}.tmp "\ninline constexpr char ${name}[] = R\"~page~(")
  file(APPEND ${HEADER}.tmp "${text}")
  file(APPEND ${HEADER}.tmp ")~page~\";\n")
endforeach()
file(APPEND ${HEADER}.tmp "\n#pragma GCC diagnostic pop\n")
file(RENAME ${HEADER}.tmp ${HEADER})
