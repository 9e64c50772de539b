C     A Fourier transform of radix 2 and 3 with work arrays, in the style of FFTPACK.
C     ASSAY_CHECK(POWSPC, "int=12", "double[2 x n]", "double[n]", "double[2*n+2*n]")
      SUBROUTINE POWSPC( N, C, P, WSAVE )
      INTEGER          N, I
      DOUBLE PRECISION C( 2, N ), P( N ), WSAVE( * )
      CALL CFFTI( N, WSAVE )
      CALL CFFTF( N, C, WSAVE( 2*N+1 ), WSAVE )
      DO 1 I = 1, N
         P( I ) = C( 1, I )**2 + C( 2, I )**2
    1 CONTINUE
      END
      SUBROUTINE CFFTI( N, WA )
      INTEGER          N, I
      DOUBLE PRECISION WA( 2, * ), TPI, ARG
      PARAMETER( TPI = 6.283185307179586D0 )
      DO 1 I = 1, N
         ARG = TPI * DBLE( I-1 ) / DBLE( N )
         WA( 1, I ) = COS( ARG )
         WA( 2, I ) = -SIN( ARG )
    1 CONTINUE
      END
      SUBROUTINE CFFTF( N, C, CH, WA )
      INTEGER          N, L, M, IP, IDO, I, J, K, LL, IW
      DOUBLE PRECISION C( 2, * ), CH( 2, * ), WA( 2, * ), SR, SI
      L = 1
      M = N
  100 IF( M.EQ.1 ) RETURN
      IP = 2
  110 IF( MOD( M, IP ).EQ.0 ) GO TO 120
      IP = IP + 1
      GO TO 110
  120 IDO = M / IP
C     Each of L transforms of length M becomes IP of length IDO.
      DO 160 LL = 0, L - 1
         DO 150 J = 0, IP - 1
            DO 140 I = 0, IDO - 1
               SR = 0
               SI = 0
               DO 130 K = 0, IP - 1
                  IW = MOD( J*( I + K*IDO )*L, N ) + 1
                  SR = SR + C( 1, 1 + LL*M + I + K*IDO )*WA( 1, IW )
     +                    - C( 2, 1 + LL*M + I + K*IDO )*WA( 2, IW )
                  SI = SI + C( 1, 1 + LL*M + I + K*IDO )*WA( 2, IW )
     +                    + C( 2, 1 + LL*M + I + K*IDO )*WA( 1, IW )
  130          CONTINUE
               CH( 1, 1 + ( J*L + LL )*IDO + I ) = SR
               CH( 2, 1 + ( J*L + LL )*IDO + I ) = SI
  140       CONTINUE
  150    CONTINUE
  160 CONTINUE
      DO 170 I = 1, N
         C( 1, I ) = CH( 1, I )
         C( 2, I ) = CH( 2, I )
  170 CONTINUE
      L = L * IP
      M = IDO
      GO TO 100
      END
