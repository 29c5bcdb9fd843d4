// @NAME@ speaks the protocol of ICPC. Here it is called as Polygon calls @ROLES@ of testlib.
// Its exit status 42 becomes 0, 43 becomes @REJECTED@, and any other 3, as a failure of this program.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>
#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace adapter {
std::string folder;  // for messages; ends with "/"

int translate(int status) {
    std::ifstream message(folder + "judgemessage.txt");
    if (!folder.empty() && message) std::cerr << message.rdbuf() << std::endl;
    return status == 42 ? 0 : status == 43 ? @REJECTED@ : 3;
}
int call(int (*program)(), int, char**) { return program(); }
int call(int (*program)(int, char**), int count, char** words) { return program(count, words); }
int call(int (*program)(int, const char**), int count, char** words) { return program(count, (const char**)words); }
}

namespace std {
[[noreturn]] inline void exit_as_testlib(int status) { exit(adapter::translate(status)); }
}
using std::exit_as_testlib;

#define main main_of_icpc
#define exit exit_as_testlib
#define _exit exit_as_testlib
#line 1 "@NAME@"
@SOURCE@
#undef main
#undef exit
#undef _exit

int main(int argc, char** argv) {
    std::vector<std::string> words = {argv[0]};
    const std::string role = "@ROLE@";
    if (role != "validator") {
        if (argc < 4) return 3;
        std::filesystem::path place = std::filesystem::temp_directory_path();
        place /= "feedback-" + std::to_string(std::random_device{}());
        std::filesystem::create_directories(place);
        adapter::folder = place.string() + "/";
        words.insert(words.end(), {argv[1], argv[3], adapter::folder});
    }
    if (role == "checker" && !std::freopen(argv[2], "rb", stdin)) return 3;
    words.insert(words.end(), {@ARGS@});
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(&word[0]);
    pointers.push_back(nullptr);
    std::exit_as_testlib(adapter::call(main_of_icpc, int(words.size()), pointers.data()));
}
