"""The text at the top of a bundle: a loader that hands the modules' bodies to Python's own import system.

It runs on every Python from 3.5 on; the names that it binds are two, of which no source knows.
https://docs.python.org/3/reference/import.html#finders-and-loaders
"""

from collections.abc import Iterable

_LOADER = '''\
class {loader}:
    """Lets `import` find the modules of this file: each body runs at the first import, with names of its own."""

    bodies = {{}}

    @classmethod
    def module(cls, name, is_package=False):
        def keep(body):
            cls.bodies[name] = (body, is_package)
            return body

        return keep

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name not in cls.bodies:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, cls, is_package=cls.bodies[name][1])

    @staticmethod
    def create_module(spec):
        return None

    @classmethod
    def exec_module(cls, module):
        body = cls.bodies[module.__name__][0]
        names = module.__dict__
        names["__builtins__"] = __builtins__
        names["__doc__"] = body.__doc__
        names["__file__"] = globals().get("__file__", "<bundle>")
{keep_star}\
        type(body)(body.__code__, names)()
{star}

'''

_STAR = '''
    @staticmethod
    def import_all(name, level, names):
        """Do what `from name import *` does."""
        module = __import__(name, names, None, ["*"], level)
        public = getattr(module, "__all__", [each for each in vars(module) if not each.startswith("_")])
        names.update((each, getattr(module, each)) for each in public)
'''


def loader_text(loader: str, star: str, *, has_star: bool) -> str:
    """Return the loader's class.

    Args:
        loader: what the class is called.
        star: what modules call in the place of `import *`.
        has_star: some module does.
    """
    keep = f'        names["{star}"] = cls.import_all\n' if has_star else ""
    return _LOADER.format(loader=loader, keep_star=keep, star=_STAR if has_star else "")


def start_text(loader: str, package: str) -> str:
    """Return what follows the modules: from here on `import` finds them."""
    own = f'__package__ = "{package}"  # of the file below, for its relative imports\n' if package else ""
    return f'__import__("sys").meta_path.insert(0, {loader})\n{own}'


def origin_text(entry: str, modules: Iterable[str]) -> str:
    """Return the comment that says what this is."""
    name = "".join(char if char.isprintable() else "?" for char in entry).replace("coding", "?")  # PEP 263
    return f"# Made by `judge bundle` of {name} and its modules {', '.join(modules)}.\n"
