// A copy of an object with members that have no value yet is no use of them.
#include <cstdio>
#include <new>
#include <string>
#include <vector>

struct Student {
    std::string name;
    int age;
    double grade;
    bool passed;
    int *next;
    unsigned low : 3, high : 29;
};
struct Shape {
    int unset;
    int sides;
    Shape(int sides) : sides(sides) {}
    virtual int count() { return sides; }
};
struct Pool {
    char bytes[64];
};
void *operator new[](size_t, Pool &pool) { return pool.bytes; }

int main() {
    Student student;
    student.name = "Ada";
    student.low = 5;
    student.high = 6;
    std::vector<Student> list;
    list.push_back(student);
    Student other = student;
    other = list[0];
    other.age = 36;
    list[0] = other;
    std::vector<Student> all = list;
    printf("%s %d %u %u\n", all[0].name.c_str(), all[0].age, all[0].low, all[0].high);
    Shape triangle(3), square(4);
    triangle = square;
    Shape copy(triangle);
    printf("%d %d\n", triangle.count(), copy.count());

    // Functions of memory with arguments leave other forms as they are.
    int *plain = new int[3]();
    int *quiet = new (std::nothrow) int[4];
    quiet[3] = 5;
    Pool pool;
    int *placed = new (pool) int[2]();
    printf("%d %d %d\n", plain[2], quiet[3], placed[1]);
    delete[] plain;
    delete[] quiet;
    void *raw = ::operator new(sizeof(int));
    int size = 3;
    ::operator delete(raw, (size_t)++size);
    printf("%d\n", size);
    return 0;
}
