C     LU factorisation with partial pivoting, and a solution with it, in the style of the reference LAPACK.
C     ASSAY_CHECK(DGESV2, "int=4", "double[n x n]", "double[n]", "int[4]=0")
C     ASSAY_CHECK(DPOTF2, "int=4", "double[n x n]:spd")
      SUBROUTINE DGESV2( N, A, B, IPIV )
      INTEGER            N
      INTEGER            IPIV( * )
      DOUBLE PRECISION   A( N, * ), B( * )
      INTEGER            I, J
      CALL DGETF2( N, A, IPIV )
      DO 10 I = 1, N
         J = IPIV( I )
         IF( J.NE.I ) CALL SWAP1( B( I ), B( J ) )
   10 CONTINUE
      DO 30 J = 1, N
         DO 20 I = J + 1, N
            B( I ) = B( I ) - A( I, J )*B( J )
   20    CONTINUE
   30 CONTINUE
      DO 50 J = N, 1, -1
         B( J ) = B( J ) / A( J, J )
         DO 40 I = 1, J - 1
            B( I ) = B( I ) - A( I, J )*B( J )
   40    CONTINUE
   50 CONTINUE
      RETURN
      END
      SUBROUTINE SWAP1( X, Y )
      DOUBLE PRECISION   X, Y, T
      T = X
      X = Y
      Y = T
      END
      SUBROUTINE DGETF2( N, A, IPIV )
      INTEGER            N
      INTEGER            IPIV( * )
      DOUBLE PRECISION   A( N, * )
      INTEGER            I, J, K, JP
      INTEGER            IDAMX
      EXTERNAL           IDAMX
      DO 60 K = 1, N
         JP = K - 1 + IDAMX( N-K+1, A( K, K ) )
         IPIV( K ) = JP
         IF( A( JP, K ).EQ.0.0D+0 ) GO TO 60
         IF( JP.NE.K ) THEN
            DO 10 J = 1, N
               CALL SWAP1( A( K, J ), A( JP, J ) )
   10       CONTINUE
         END IF
         DO 20 I = K + 1, N
            A( I, K ) = A( I, K ) / A( K, K )
   20    CONTINUE
         DO 40 J = K + 1, N
            DO 30 I = K + 1, N
               A( I, J ) = A( I, J ) - A( I, K )*A( K, J )
   30       CONTINUE
   40    CONTINUE
   60 CONTINUE
      END
      INTEGER FUNCTION IDAMX( N, X )
      INTEGER            N, I
      DOUBLE PRECISION   X( * ), BIG
      IDAMX = 1
      BIG = DABS( X( 1 ) )
      DO 10 I = 2, N
         IF( DABS( X( I ) ).LE.BIG ) GO TO 10
         IDAMX = I
         BIG = DABS( X( I ) )
   10 CONTINUE
      END
      SUBROUTINE DPOTF2( N, A )
      INTEGER            N, I, J, K
      DOUBLE PRECISION   A( N, * ), AJJ
      DO 30 J = 1, N
         AJJ = A( J, J )
         DO 10 K = 1, J - 1
            AJJ = AJJ - A( J, K )**2
   10    CONTINUE
         IF( AJJ.LE.0.0D+0 ) RETURN
         AJJ = SQRT( AJJ )
         A( J, J ) = AJJ
         DO 25 I = J + 1, N
            DO 20 K = 1, J - 1
               A( I, J ) = A( I, J ) - A( I, K )*A( J, K )
   20       CONTINUE
            A( I, J ) = A( I, J ) / AJJ
   25    CONTINUE
   30 CONTINUE
      END
