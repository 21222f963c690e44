// Strings and streams.
#include <cstdio>
#include <sstream>
#include <string>

int main() {
    std::string text;
    unsigned x = 1;
    for (int i = 0; i < 300000; i++) {
        x = x * 1103515245 + 12345;
        text += char('a' + (x >> 16) % 26);
        if (i % 7 == 0) text += ' ';
    }
    int words = 0, vowels = 0;
    for (char c : text)
        if (c == 'a' || c == 'e') vowels++;
    std::stringstream stream(text);
    std::string word;
    size_t longest = 0;
    while (stream >> word) {
        words++;
        if (word.size() > longest) longest = word.size();
    }
    std::string back(text.rbegin(), text.rend());
    printf("%d %d %zu %c\n", words, vowels, longest, back[0]);
}
