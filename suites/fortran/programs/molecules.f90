! Molecular dynamics: derived types, periodic images, a neighbour list, a switched potential.
! ASSAY_CHECK(md::potential, "double[9 x 3]", "int=3", "double:(4,6)")
! ASSAY_CHECK(md::trajectory, "int=3", "double[3 x n]:(0,3)", "double:(0.001,0.01)")
module md
  implicit none
  type :: atom
    real(8) :: r(3), v(3), f(3)
  end type
  type :: pairs
    integer :: count = 0
    integer, allocatable :: i(:), j(:)
  end type
  type :: switch
    real(8) :: inner, outer
  end type
contains
  pure real(8) function weight(s, r)
    type(switch), intent(in) :: s
    real(8), intent(in) :: r
    real(8) :: x
    if (r <= s%inner) then
      weight = 1
    else if (r >= s%outer) then
      weight = 0
    else
      x = (r - s%inner) / (s%outer - s%inner)
      weight = 1 - x**3 * (10 - 15 * x + 6 * x**2)
    end if
  end function
  subroutine build(atoms, list, box)
    type(atom), intent(in) :: atoms(:)
    type(pairs), intent(inout) :: list
    real(8), intent(in) :: box
    integer :: i, j, n
    n = size(atoms)
    allocate(list%i(n * n), list%j(n * n))
    do i = 1, n
      do j = i + 1, n
        if (norm2(image(atoms(i)%r - atoms(j)%r, box)) < 5) then
          list%count = list%count + 1
          list%i(list%count) = i
          list%j(list%count) = j
        end if
      end do
    end do
  end subroutine
  pure function image(d, box) result(m)
    real(8), intent(in) :: d(3), box
    real(8) :: m(3)
    m = d - box * anint(d / box)
  end function
  subroutine forces(atoms, list, box, energy)
    type(atom), intent(inout) :: atoms(:)
    type(pairs), intent(in) :: list
    real(8), intent(in) :: box
    real(8), intent(out) :: energy
    type(switch) :: s
    real(8) :: d(3), r2, e
    integer :: k
    s = switch(2d0, 4.5d0)
    energy = 0
    do k = 1, size(atoms)
      atoms(k)%f = 0
    end do
    do k = 1, list%count
      d = image(atoms(list%i(k))%r - atoms(list%j(k))%r, box)
      r2 = dot_product(d, d) + 0.5d0
      e = (1 / r2**6 - 1 / r2**3) * weight(s, sqrt(r2))
      energy = energy + 4 * e
      associate (fi => atoms(list%i(k))%f, fj => atoms(list%j(k))%f)
        fi = fi + e * d / r2
        fj = fj - e * d / r2
      end associate
    end do
  end subroutine
  real(8) function potential(atoms, n, box)
    integer, intent(in) :: n
    type(atom), intent(inout) :: atoms(n)
    real(8), intent(in) :: box
    type(pairs) :: list
    call build(atoms, list, box)
    call forces(atoms, list, box, potential)
  end function
  real(8) function trajectory(n, x, dt)
    integer, intent(in) :: n
    real(8), intent(in) :: x(3, n), dt
    type(atom), allocatable :: atoms(:)
    type(pairs) :: list
    integer :: k, step
    allocate(atoms(n))
    do k = 1, n
      atoms(k) = atom(x(:, k), [0.1d0, 0d0, -0.1d0 * k], [0d0, 0d0, 0d0])
    end do
    call build(atoms, list, 6d0)
    do step = 1, 3
      call forces(atoms, list, 6d0, trajectory)
      do k = 1, n
        atoms(k)%v = atoms(k)%v + dt * atoms(k)%f
        atoms(k)%r = atoms(k)%r + dt * atoms(k)%v
      end do
    end do
  end function
end module
