// Compares an output with the answer: check INPUT OUTPUT ANSWER
// Exit status: 0 accepted, 1 wrong answer, 2 only white space differs, 3 a file cannot be read.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

enum Items { TOKENS, TOKENS_AND_SPACES, LINES, BYTES };

const Items ITEMS = @ITEMS@;
const bool CASE_SENSITIVE = @CASE_SENSITIVE@;
const long double ABSOLUTE = @ABSOLUTE@L;  // a tolerance, or negative for none
const long double RELATIVE = @RELATIVE@L;

typedef std::vector<std::string> Strings;

bool is_space(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

bool is_digit(char c) { return '0' <= c && c <= '9'; }

char lower(char c) { return 'A' <= c && c <= 'Z' ? char(c - 'A' + 'a') : c; }

std::string read(const char* path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        std::cerr << "cannot read " << path << std::endl;
        std::exit(3);
    }
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!CASE_SENSITIVE) std::transform(text.begin(), text.end(), text.begin(), lower);
    return text;
}

Strings split_lines(const std::string& text) {
    Strings lines(1);
    for (char c : text) {
        if (c == '\n') lines.push_back("");
        else lines.back() += c;
    }
    for (std::string& line : lines) {
        while (!line.empty() && is_space(line.back())) line.pop_back();
    }
    if (lines.back().empty()) lines.pop_back();
    return lines;
}

Strings split_tokens(const std::string& text, bool with_spaces) {
    Strings items;
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool space = is_space(text[i]);
        if (space && !with_spaces) continue;
        bool begins = i == 0 || is_space(text[i - 1]) != space;
        if (begins) items.push_back("");
        items.back() += text[i];
    }
    return items;
}

Strings split(const std::string& text) {
    return ITEMS == LINES ? split_lines(text) : split_tokens(text, ITEMS == TOKENS_AND_SPACES);
}

// Sign, digits with at most one point, exponent: neither hexadecimal nor infinite.
bool parse(const std::string& token, long double& value) {
    std::size_t i = 0, digits = 0;
    if (i < token.size() && (token[i] == '+' || token[i] == '-')) ++i;
    for (; i < token.size() && is_digit(token[i]); ++i) ++digits;
    if (i < token.size() && token[i] == '.') ++i;
    for (; i < token.size() && is_digit(token[i]); ++i) ++digits;
    if (!digits) return false;
    if (i < token.size() && (token[i] == 'e' || token[i] == 'E')) {
        ++i;
        if (i < token.size() && (token[i] == '+' || token[i] == '-')) ++i;
        if (i == token.size()) return false;
        while (i < token.size() && is_digit(token[i])) ++i;
    }
    if (i != token.size()) return false;
    value = std::strtold(token.c_str(), nullptr);
    return std::isfinite(value);
}

bool same(const std::string& expected, const std::string& found) {
    if (expected == found) return true;
    long double answer, value;
    if ((ABSOLUTE < 0 && RELATIVE < 0) || !parse(expected, answer) || !parse(found, value)) return false;
    long double error = std::fabs(value - answer);
    error -= (std::fabs(value) + std::fabs(answer)) * 1e-18L;  // that of reading decimal digits
    return error <= ABSOLUTE || (RELATIVE >= 0 && error <= RELATIVE * std::fabs(answer));
}

int main(int argc, char** argv) {
    if (argc < 4) {
        std::cerr << "expected the arguments INPUT OUTPUT ANSWER" << std::endl;
        return 3;
    }
    std::string output = read(argv[2]), answer = read(argv[3]);
    if (ITEMS == BYTES && output == answer) {
        std::cerr << "ok" << std::endl;
        return 0;
    }
    Strings expected = split(answer), found = split(output);
    const char* item = ITEMS == LINES ? "line " : "token ";
    for (std::size_t i = 0; i < expected.size() || i < found.size(); ++i) {
        if (i >= found.size() || i >= expected.size()) {
            std::cerr << item << i + 1 << ": " << (i < found.size() ? "unexpected" : "missing") << std::endl;
            return 1;
        }
        if (!same(expected[i], found[i])) {
            std::cerr << item << i + 1 << ": expected '" << expected[i].substr(0, 100) << "', found '"
                      << found[i].substr(0, 100) << "'" << std::endl;
            return 1;
        }
    }
    std::cerr << (ITEMS == BYTES ? "only white space differs" : "ok") << std::endl;
    return ITEMS == BYTES ? 2 : 0;
}
