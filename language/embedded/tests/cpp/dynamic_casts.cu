// `dynamic_cast`, tables of classes in namespaces and functions.
#include <cstdio>
#include <exception>
#include <memory>
#include <vector>
struct Animal {
    virtual ~Animal() {}
    virtual int legs() const { return 4; }
};
struct Bird : Animal {
    int legs() const { return 2; }
    virtual bool flies() const { return true; }
};
struct Emu : Bird {
    bool flies() const { return false; }
};
namespace zoo {
struct Snake : Animal {
    int legs() const { return 0; }
};
}
struct Mine : std::exception {
    const char *what() const noexcept { return "mine"; }
};
int count_birds(const std::vector<Animal *> &all)
{
    int birds = 0;
    for (Animal *one : all)
        if (Bird *bird = dynamic_cast<Bird *>(one)) birds += bird->flies() ? 10 : 1;
    return birds;
}
int main()
{
    struct Local : Animal {
        int legs() const { return 9; }
    };
    std::vector<Animal *> all;
    all.push_back(new Animal);
    all.push_back(new Bird);
    all.push_back(new Emu);
    all.push_back(new zoo::Snake);
    all.push_back(new Local);
    for (Animal *one : all) printf("%d ", one->legs());
    printf("%d %d\n", count_birds(all), dynamic_cast<Emu *>((Animal *)0) == 0);
    const Animal &emu = *all[2];
    printf("%d %d\n", dynamic_cast<const Bird &>(emu).flies(), dynamic_cast<const zoo::Snake *>(&emu) == 0);
    for (Animal *one : all) delete one;
    std::shared_ptr<Animal> shared = std::make_shared<Emu>();
    std::shared_ptr<Bird> bird = std::dynamic_pointer_cast<Bird>(shared);
    printf("%ld %d %d\n", shared.use_count(), bird->legs(), !std::dynamic_pointer_cast<zoo::Snake>(shared));
    try {
        throw Mine();
    } catch (const std::exception &e) {
        printf("%s\n", e.what());
    }
    return 0;
}
