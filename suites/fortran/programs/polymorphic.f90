! Abstract types, deferred bindings, containers of polymorphic objects, select type, generics and operators.
! ASSAY_CHECK(shapes::scene, "double:(0.5,2)", "double:(0.5,2)")
! ASSAY_CHECK(shapes::solver, "int=3", "double:(0.5,2)")
module shapes
  implicit none
  type, abstract :: shape
    real(8) :: density = 1
  contains
    procedure(measure), deferred :: area
    procedure :: mass
  end type
  abstract interface
    real(8) function measure(this)
      import shape
      class(shape), intent(in) :: this
    end function
  end interface
  type, extends(shape) :: disc
    real(8) :: r
  contains
    procedure :: area => area_of_disc
  end type
  type, extends(shape) :: box
    real(8) :: a, b
  contains
    procedure :: area => area_of_box
  end type
  type :: item
    class(shape), allocatable :: of
  end type
  type :: dual
    real(8) :: v, d
  end type
  interface operator(*)
    procedure times
  end interface
contains
  real(8) function mass(this)
    class(shape), intent(in) :: this
    mass = this%density * this%area()
  end function
  real(8) function area_of_disc(this)
    class(disc), intent(in) :: this
    area_of_disc = acos(-1d0) * this%r**2
  end function
  real(8) function area_of_box(this)
    class(box), intent(in) :: this
    area_of_box = this%a * this%b
  end function
  elemental type(dual) function times(x, y)
    type(dual), intent(in) :: x, y
    times = dual(x%v * y%v, x%v * y%d + x%d * y%v)
  end function
  real(8) function scene(x, y)
    real(8), intent(in) :: x, y
    class(shape), allocatable :: s
    type(dual) :: u
    allocate(s, source=disc(density=y, r=x))
    scene = s%mass()
    deallocate(s)
    allocate(box :: s)
    select type (s)
    class is (box)
      s%a = x
      s%b = y
    end select
    u = dual(x, 1d0) * dual(y, 0d0) * dual(x, 1d0)
    scene = scene + s%mass() + u%d
  end function
  real(8) function solver(n, x)
    integer, intent(in) :: n
    real(8), intent(in) :: x
    type(disc), allocatable :: discs(:)
    integer :: k
    allocate(discs(n))
    do k = 1, n
      discs(k)%r = x * k
      discs(k)%density = 1 / x
    end do
    solver = 0
    do k = 1, n
      solver = solver + weigh(discs(k))
    end do
  end function
  real(8) function weigh(s)
    class(shape), intent(in) :: s
    weigh = s%mass()**2
  end function
end module
