// <filesystem> and <system_error>.
#include <iostream>
#include <fstream>
#include <filesystem>
#include <system_error>
#include <set>
#include <string>
namespace fs = std::filesystem;
using namespace std;
int main() {
    fs::path p = "a/b/file.tar.gz";
    cout << p << p.filename() << p.stem() << p.extension() << p.parent_path() << p.string() << endl;
    fs::path q = fs::path("x") / "y";
    q /= "z.txt";
    cout << q << q.replace_extension(".md") << q.replace_filename("n") << (q == fs::path("x/y/n"))
         << q.has_extension() << fs::path(".hidden").extension() << fs::path("dir/").filename()
         << fs::path("/abs").is_absolute() << endl;
    fs::remove_all("fsd");
    cout << fs::create_directory("fsd") << fs::create_directory("fsd")
         << fs::create_directories("fsd/a/b") << fs::exists("fsd/a") << fs::is_directory("fsd/a/b")
         << endl;
    {
        ofstream f(fs::path("fsd") / "f.txt");
        f << "12345";
    }
    {
        ofstream f("fsd/a/g.dat");
        f << "x";
    }
    cout << fs::file_size("fsd/f.txt") << fs::is_regular_file("fsd/f.txt") << fs::exists("fsd/none")
         << endl;
    set<string> names;
    for (const auto &e : fs::directory_iterator("fsd"))
        names.insert(e.path().filename().string() + (e.is_directory() ? "/" : ""));
    for (auto &n : names)
        cout << n << " ";
    cout << endl;
    set<string> all;
    for (auto &e : fs::recursive_directory_iterator("fsd"))
        all.insert(e.path().string());
    for (auto &n : all)
        cout << n << " ";
    cout << endl;
    fs::rename("fsd/f.txt", "fsd/r.txt");
    cout << fs::exists("fsd/f.txt") << fs::exists("fsd/r.txt") << fs::is_empty("fsd/a/b") << endl;
    try {
        fs::file_size("fsd/zzz");
    } catch (const fs::filesystem_error &e) {
        cout << e.what() << " " << e.code().value() << e.path1() << endl;
    }
    error_code ec;
    cout << fs::remove("fsd/r.txt", ec) << fs::remove("fsd/r.txt") << bool(ec) << endl;
    fs::file_size("none", ec);
    cout << ec.value() << ec.message() << (ec == errc::no_such_file_or_directory) << ec << endl;
    cout << fs::remove_all("fsd") << fs::exists("fsd") << endl;
    try {
        throw system_error(make_error_code(errc::invalid_argument), "ctx");
    } catch (const system_error &e) {
        cout << e.what() << e.code() << endl;
    }
}
