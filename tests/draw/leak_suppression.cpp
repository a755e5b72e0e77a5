// fontconfig, which cairo asks for fonts, keeps its configuration until the process ends; the leak checker is told so.
#ifdef MOREAU_SANITIZE
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }
#endif
