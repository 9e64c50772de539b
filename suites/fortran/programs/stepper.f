C     An integrator with common blocks, externals, statement functions, entries and computed gotos, as ODEPACK has them.
C     ASSAY_CHECK(SOLVE, "int=2", "double[2]", "double=0", "double=0.5", "double[1]:(0.5,1.5)", "int=1..3")
      SUBROUTINE SOLVE( NEQ, Y, T, TOUT, RPAR, METH )
      INTEGER          NEQ, METH, I
      DOUBLE PRECISION Y( * ), T, TOUT, RPAR( * )
      EXTERNAL         FOSC
      DOUBLE PRECISION H, RPAR1
      INTEGER          NST, NFE
      COMMON /DLS001/  H, RPAR1, NST, NFE
      RPAR1 = RPAR( 1 )
      NST = 0
      NFE = 0
      H = ( TOUT - T ) / 8
      DO 10 I = 1, 8
         CALL STODE( NEQ, Y, T, FOSC, METH )
   10 CONTINUE
      END
      SUBROUTINE STODE( NEQ, Y, T, F, METH )
      INTEGER          NEQ, METH, I
      DOUBLE PRECISION Y( * ), T
      EXTERNAL         F
      DOUBLE PRECISION YH( 20, 4 ), SAVF( 20 ), H, RPAR1, HALF
      INTEGER          NST, NFE
      COMMON /DLS001/  H, RPAR1, NST, NFE
      HALF( X1 ) = X1 * 0.5
      GO TO ( 100, 200, 300 ), METH
  100 CALL F( NEQ, T, Y, SAVF )
      DO 110 I = 1, NEQ
         Y( I ) = Y( I ) + H*SAVF( I )
  110 CONTINUE
      GO TO 900
  200 CALL F( NEQ, T, Y, YH( 1, 1 ) )
      DO 210 I = 1, NEQ
         SAVF( I ) = Y( I ) + 0.5D0*H*YH( I, 1 )
  210 CONTINUE
      CALL F( NEQ, T + 0.5D0*H, SAVF, YH( 1, 2 ) )
      DO 220 I = 1, NEQ
         Y( I ) = Y( I ) + H*YH( I, 2 )
  220 CONTINUE
      GO TO 900
  300 CALL F( NEQ, T, Y, YH( 1, 1 ) )
      DO 310 I = 1, NEQ
  310 SAVF( I ) = Y( I ) + 0.5D0*H*YH( I, 1 )
      CALL F( NEQ, T + 0.5D0*H, SAVF, YH( 1, 2 ) )
      DO 320 I = 1, NEQ
  320 SAVF( I ) = Y( I ) + 0.5D0*H*YH( I, 2 )
      CALL F( NEQ, T + 0.5D0*H, SAVF, YH( 1, 3 ) )
      DO 330 I = 1, NEQ
  330 SAVF( I ) = Y( I ) + H*YH( I, 3 )
      CALL F( NEQ, T + H, SAVF, YH( 1, 4 ) )
      DO 340 I = 1, NEQ
         Y( I ) = Y( I ) + H/6*( YH( I, 1 ) + 2*YH( I, 2 )
     1            + 2*YH( I, 3 ) + YH( I, 4 ) )
  340 CONTINUE
  900 T = T + H
      NST = NST + 1
      END
      SUBROUTINE FOSC( NEQ, T, Y, YDOT )
      INTEGER          NEQ
      DOUBLE PRECISION T, Y( NEQ ), YDOT( NEQ )
      DOUBLE PRECISION H, RPAR1
      INTEGER          NST, NFE
      COMMON /DLS001/  H, RPAR1, NST, NFE
      NFE = NFE + 1
      YDOT( 1 ) = Y( 2 )
      YDOT( 2 ) = RPAR1*( 1 - Y( 1 )**2 )*Y( 2 ) - Y( 1 ) + COS( T )
      END
