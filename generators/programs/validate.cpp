#include "generators/programs/validate.hpp"

#include "generators/programs/validate_kinds.hpp"

#include <algorithm>

namespace assay::gen::programs {

namespace {

/// The place of a literal element of a global, as the first statements of a program set them.
bool sets_element(const Node &statement, int global, int element) {
  if (statement.operation != Operation::assign || statement.children[0].operation != Operation::element)
    return false;
  const Node &base = statement.children[0].children[0], &index = statement.children[0].children[1];
  return statement.form == Form::plain && base.operation == Operation::global && base.id == global &&
         index.operation == Operation::literal && index.value == element;
}

bool names_any(const Node &node, Operation operation) {
  return node.operation == operation || std::any_of(node.children.begin(), node.children.end(),
                                                    [&](const Node &child) { return names_any(child, operation); });
}

/// Globals that are written keep nothing from one run to the next: the first statements set them.
void check_first_statements(const Program &program) {
  const auto &statements = program.entry().body.children;
  std::size_t next = 0;
  for (std::size_t id = 0; id < program.globals.size(); ++id) {
    const Global &global = program.globals[id];
    if (global.variable.constant)
      continue;
    for (int element = 0; element < global.variable.type.count; ++element, ++next) {
      require(next < statements.size() && sets_element(statements[next], static_cast<int>(id), element),
              "a global that is not set first");
      const Node &value = statements[next].children[1];
      require(!names_any(value, Operation::call) && !names_any(value, Operation::global) &&
                  !names_any(value, Operation::call_callback),
              "a global that is set from others");
    }
  }
}

/// Real numbers of one type alone, so that any member of a union may be read.
bool is_made_of(const Program &program, const Type &type, const Type &real) {
  if (type == real)
    return true;
  if (type.kind == Type::Kind::array || type.is_complex() || type.is_vector())
    return is_made_of(program, type.element[0], real);
  if (type.kind != Type::Kind::structure)
    return false;
  const auto &fields = program.structures[static_cast<std::size_t>(type.id)].fields;
  return std::all_of(fields.begin(), fields.end(), [&](const Type &field) { return is_made_of(program, field, real); });
}

void check_unions(const Program &program) {
  for (const Structure &structure : program.structures)
    for (const Type &field : structure.fields)
      require(!structure.overlay || is_made_of(program, field, structure.fields[0].element[0]),
              "a union of several types");
}

class Checker : KindChecker {
public:
  using KindChecker::KindChecker;

  void check() {
    for (int id = 0; id < function_.parameters; ++id)
      scope_[id] = 0;
    require(function_.body.operation == Operation::block, "a body that is not a block");
    require(!holds_pointers(program_, function_.result), "a result with pointers");
    if (function_.result.kind != Type::Kind::none)
      require(!function_.body.children.empty() && function_.body.children.back().operation == Operation::give_back,
              "an end without result");
    require(!function_.recursive || (function_.parameters > 0 && function_.variables[0].type == integer()),
            "a recursive function without depth");
    require(!has_computed_jump(function_.body) || !has_variable_length(function_.body),
            "a computed jump among arrays of variable length");
    block(function_.body);
  }

private:
  static bool has_computed_jump(const Node &node) {
    return (node.operation == Operation::labelled_blocks && node.form == Form::computed) ||
           std::any_of(node.children.begin(), node.children.end(), has_computed_jump);
  }
  static bool has_variable_length(const Node &node) {
    return (node.operation == Operation::declare && node.form == Form::variable_length) ||
           std::any_of(node.children.begin(), node.children.end(), has_variable_length);
  }

  void block(const Node &node) {
    require(node.operation == Operation::block, "a statement where a block belongs");
    const auto outer = scope_;
    const auto outer_counters = counters_;
    ++depth_;
    for (const Node &child : node.children)
      statement(child);
    --depth_;
    scope_ = outer;
    counters_ = outer_counters;
  }

  void statement(const Node &node) {
    switch (node.operation) {
    case Operation::block:
      return block(node);
    case Operation::declare:
      return declare(node);
    case Operation::assign:
      return assign(node);
    case Operation::evaluate:
      require(node.children[0].operation == Operation::call, "a value without use");
      return statement_value(node.children[0]);
    case Operation::branch:
      condition(node.children[0]);
      for (std::size_t i = 1; i < node.children.size(); ++i)
        block(node.children[i]);
      return;
    case Operation::count_loop:
      return count_loop(node);
    case Operation::walk_loop:
      return walk_loop(node);
    case Operation::fuel_loop:
      bring_in(node.id, Bringing::counter);
      condition(node.children[0]);
      return loop_body(node.children[1]);
    case Operation::choose:
    case Operation::enter_loop:
      return choose(node);
    case Operation::leave_loop:
      return require(loops_ > 0 && !in_choice_, "a break outside of a loop");
    case Operation::next_iteration:
      return require(loops_ > 0, "a continue outside of a loop");
    case Operation::labelled_blocks:
      return labelled_blocks(node);
    case Operation::jump:
      return jump(node);
    default:
      return memory_statement(node);
    }
  }

  void memory_statement(const Node &node) {
    switch (node.operation) {
    case Operation::give_back:
      return give_back(node);
    case Operation::copy:
      return copy(node);
    case Operation::clear:
      value(node.children[0]);
      writable(node.children[0]);
      return require(node.children[0].type.is_indexed() && node.id <= node.children[0].type.count &&
                         !holds_pointers(program_, node.children[0].type.element[0]),
                     "more cleared than there is");
    case Operation::copy_bits:
      value(node.children[0]);
      value(node.children[1]);
      writable(node.children[0]);
      require(has_address(node.children[0]) && has_address(node.children[1]), "an address of no memory");
      return require(node.children[0].type == node.children[1].type && node.children[0].type.is_real(),
                     "bits of two types");
    case Operation::grow:
      return grow(node);
    case Operation::write_tagged:
      return write_tagged(node);
    case Operation::push:
      return push(node);
    case Operation::pop:
    case Operation::reverse:
      return owned_list(node);
    case Operation::walk_list:
      return walk_list(node);
    case Operation::swap:
      return swap(node);
    default:
      throw InvalidProgram{"a value where a statement belongs"};
    }
  }

  static bool has_address(const Node &place) {
    return place.operation != Operation::element || !place.children[0].type.is_vector();
  }

  enum class Bringing { plain, counter };

  void bring_in(int id, Bringing how) {
    require(id >= function_.parameters && id < static_cast<int>(function_.variables.size()) && !scope_.contains(id),
            "a variable declared twice");
    scope_[id] = depth_;
    if (how == Bringing::counter)
      counters_.push_back(id);
  }

  void declare(const Node &node) {
    const Variable &declared = variable(node.id);
    const Interval integers{double(declared.low), double(declared.high)};
    if (node.form == Form::heap || node.form == Form::heap_of_zeros) {
      allocate(node, declared.type);
    } else if (declared.type.kind == Type::Kind::pointer) {
      value(node.children[0]), pure(node.children[0]);
      pointer(node.children[0], declared);
      outlive(node.children[0], depth_);
    } else if (node.form == Form::variable_length) {
      require(declared.type.kind == Type::Kind::array && node.children.size() == 1, "a variable length of no array");
      condition(node.children[0]);
    } else if (declared.type.kind == Type::Kind::structure && holds_pointers(program_, declared.type)) {
      view(node, declared);
    } else if (declared.type.kind == Type::Kind::array && declared.type.element[0].kind == Type::Kind::pointer) {
      pointers(node, declared);
    } else if (declared.type.kind == Type::Kind::array) {
      require(!holds_pointers(program_, declared.type), "pointers in an array");
      for (const Node &child : node.children) {
        value(child), pure(child);
        storable(child, declared.type.element[0], integers);
      }
    } else if (!node.children.empty() || declared.type.is_scalar() || declared.type.kind == Type::Kind::callback) {
      require(node.children.size() == 1, "several initial values");
      statement_value(node.children[0]);
      storable(node.children[0], declared.type, integers);
    }
    bring_in(node.id, Bringing::plain);
  }

  void allocate(const Node &node, const Type &type) {
    const bool is_list = type.kind == Type::Kind::list;
    require(is_list || type.kind == Type::Kind::pointer, "memory without pointer");
    require(!is_list || type.element[0].is_real() || type.element[0].kind == Type::Kind::structure,
            "a list of something else");
    const Type *element = &type.element[0];
    if (!is_list && element->kind == Type::Kind::pointer)
      element = &element->element[0];
    require(!holds_pointers(program_, *element), "pointers on the heap");
    fixed_.insert(node.id), owned_.insert(node.id);
    node_value(node, list_of(*element));
  }

  /// An array of pointers has all of them from the beginning.
  void pointers(const Node &node, const Variable &declared) {
    require(node.children.size() == static_cast<std::size_t>(declared.type.count), "pointers that are not set");
    Variable each{declared.type.element[0]};
    each.constant = declared.constant;
    require(!holds_pointers(program_, each.type.element[0]), "pointers to pointers in an array");
    for (const Node &child : node.children) {
      value(child), pure(child);
      pointer(child, each);
      outlive(child, depth_);
    }
  }

  /// A structure with pointers has all its fields from the beginning, or is a copy.
  void view(const Node &node, const Variable &declared) {
    if (node.children.size() == 1 && node.children[0].type == declared.type) {
      require(node.children[0].operation == Operation::variable, "pointers from elsewhere");
      return value(node.children[0]);
    }
    const auto &fields = program_.structures[static_cast<std::size_t>(declared.type.id)].fields;
    require(node.children.size() == fields.size(), "pointers that are not set");
    for (std::size_t i = 0; i < fields.size(); ++i) {
      value(node.children[i]), pure(node.children[i]);
      if (fields[i].kind != Type::Kind::pointer) {
        require(fields[i].is_scalar() || fields[i] == callback(), "a structure with pointers and more than numbers");
        storable(node.children[i], fields[i], {-integer_bound, integer_bound});
        continue;
      }
      pointer(node.children[i], {fields[i]});
      outlive(node.children[i], depth_);
    }
  }

  void assign(const Node &node) {
    const Node &place = node.children[0], &value_node = node.children[1];
    value(place);
    pure(place);
    statement_value(value_node);
    if (place.type.kind == Type::Kind::pointer) {
      const bool in_array = place.operation == Operation::element &&
                            place.children[0].operation == Operation::variable &&
                            place.children[0].type.kind == Type::Kind::array;
      require((place.operation == Operation::variable || in_array) && node.form == Form::plain, "a pointer in memory");
      const int id = in_array ? place.children[0].id : place.id;
      require(!fixed_.contains(id), "memory that is lost");
      Variable each{place.type};
      each.constant = variable(id).constant;
      pointer(value_node, each);
      return outlive(value_node, scope_.at(id));
    }
    require(!holds_pointers(program_, place.type), "pointers that change");
    writable(place);
    if (node.form == Form::plain)
      return storable(value_node, place.type, range_of_place(place, context_));
    compound(node);
  }

  void compound(const Node &node) {
    const Node &place = node.children[0];
    const Operation operation = node.form == Form::plus    ? Operation::add
                                : node.form == Form::minus ? Operation::subtract
                                                           : Operation::multiply;
    const Node sum{operation, place.type, 0, 0, Form::plain, {place, node.children[1]}};
    typing(sum);
    storable(sum, place.type, range_of_place(place, context_));
  }

  /// What a pointer points to lives at least as long as the pointer.
  void outlive(const Node &value, int depth) {
    std::vector<const Node *> roots;
    collect_pointed(value, roots);
    for (const Node *root : roots)
      require(root->operation == Operation::global || scope_.at(root->id) <= depth, "a pointer that outlives memory");
  }

  void loop_body(const Node &body) {
    const bool outer_choice = in_choice_;
    in_choice_ = false;
    ++loops_;
    block(body);
    --loops_;
    in_choice_ = outer_choice;
  }

  void count_loop(const Node &node) {
    const Variable &counter = variable(node.id);
    value(node.children[0]), pure(node.children[0]);
    value(node.children[1]), pure(node.children[1]);
    const auto from = range_of(node.children[0], context_), to = range_of(node.children[1], context_);
    require(from && to && node.value != 0 && node.children[0].type.is_integer() && node.children[1].type.is_integer(),
            "bounds that are no integers");
    const Interval inside = node.value > 0 ? Interval{from->low, to->high - 1} : Interval{to->low + 1, from->high};
    require(inside.low > inside.high || inside.within({double(counter.low), double(counter.high)}),
            "a counter out of bounds");
    const auto outer = scope_;
    const auto outer_counters = counters_;
    bring_in(node.id, Bringing::counter);
    loop_body(node.children[2]);
    scope_ = outer;
    counters_ = outer_counters;
  }

  void walk_loop(const Node &node) {
    const Variable &walker = variable(node.id);
    value(node.children[0]), pure(node.children[0]);
    require(node.children[0].type.is_indexed() && walker.type.kind == Type::Kind::pointer && walker.type.count == 1,
            "a walk over no array");
    pointer(node.children[0], walker);
    outlive(node.children[0], depth_);
    const auto outer = scope_;
    bring_in(node.id, Bringing::plain);
    fixed_.insert(node.id);
    loop_body(node.children[1]);
    scope_ = outer;
  }

  void walk_list(const Node &node) {
    const Variable &walker = variable(node.id);
    value(node.children[0]);
    list(node.children[0], walker);
    const auto outer = scope_;
    bring_in(node.id, Bringing::plain);
    fixed_.insert(node.id);
    ++walks_;
    loop_body(node.children[1]);
    --walks_;
    scope_ = outer;
  }

  void labelled_blocks(const Node &node) {
    condition(node.children[0]);
    require(node.children.size() > 1, "a choice of nothing");
    require(variable(node.id).low <= 0 && variable(node.id).high >= node.value, "a counter out of bounds");
    bring_in(node.id, Bringing::counter);
    webs_.push_back(node.id);
    for (std::size_t i = 1; i < node.children.size(); ++i)
      block(node.children[i]);
    webs_.pop_back();
  }

  void choose(const Node &node) {
    condition(node.children[0]);
    require(node.children.size() > 1, "a choice of nothing");
    if (node.operation == Operation::enter_loop)
      bring_in(node.id, Bringing::counter);
    const bool outer_choice = in_choice_;
    in_choice_ = true;
    for (std::size_t i = 1; i < node.children.size(); ++i)
      block(node.children[i]);
    in_choice_ = outer_choice;
  }

  void give_back(const Node &node) {
    if (function_.result.kind == Type::Kind::none)
      return require(node.children.empty(), "a result of nothing");
    require(!node.children.empty(), "no result");
    statement_value(node.children[0]);
    storable(node.children[0], function_.result, {-integer_bound, integer_bound});
  }

  void copy(const Node &node) {
    const Node &to = node.children[0], &from = node.children[1];
    value(to), value(from);
    writable(to);
    require(to.type.is_indexed() && from.type.is_indexed() && to.type.element == from.type.element &&
                node.id <= to.type.count && node.id <= from.type.count && !holds_pointers(program_, to.type.element[0]),
            "more copied than there is");
    if (node.form == Form::overlapping)
      return;
    std::vector<const Node *> roots;
    collect_pointed(to, roots), collect_pointed(from, roots);
    const bool apart =
        roots.size() == 2 && (roots[0]->operation != roots[1]->operation || roots[0]->id != roots[1]->id);
    require(apart && roots[0]->type.kind != Type::Kind::pointer && roots[1]->type.kind != Type::Kind::pointer,
            "a copy that may overlap");
  }

  void grow(const Node &node) {
    require(scope_.contains(node.id) && owned_.contains(node.id) && variable(node.id).type.kind == Type::Kind::pointer,
            "no memory to grow");
    require(is_heap_and_unaliased(function_.body, node.id), "memory that others point to");
  }

  /// The pointers that a statement stores.
  std::vector<const Node *> kept_pointers(const Node &node) const {
    std::vector<const Node *> kept;
    const bool keeps = node.operation == Operation::declare || node.operation == Operation::walk_loop ||
                       node.operation == Operation::assign;
    for (const Node &child : node.children)
      if (keeps && (child.type.is_indexed() || child.operation == Operation::address_of) &&
          &child != (node.operation == Operation::assign ? &node.children[0] : nullptr))
        kept.push_back(&child);
    return kept;
  }

  bool is_heap_and_unaliased(const Node &node, int id) const {
    if (node.operation == Operation::declare && node.id == id && node.form == Form::plain)
      return false;
    for (const Node *pointer : kept_pointers(node)) {
      std::vector<const Node *> roots;
      collect_pointed(*pointer, roots);
      for (const Node *root : roots)
        if (root->operation == Operation::variable && root->id == id)
          return false;
    }
    return id >= function_.parameters &&
           std::all_of(node.children.begin(), node.children.end(),
                       [&](const Node &child) { return is_heap_and_unaliased(child, id); });
  }
};

} // namespace

std::optional<std::string> validate(const Program &program) {
  try {
    for (std::size_t i = 0; i < program.functions.size(); ++i)
      Checker(program, i).check();
    check_first_statements(program);
    check_unions(program);
  } catch (const InvalidProgram &fault) {
    return fault.text;
  }
  return std::nullopt;
}

} // namespace assay::gen::programs
