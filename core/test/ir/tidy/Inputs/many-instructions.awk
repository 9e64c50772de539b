# More instructions than a small function has, in the place of a comment.
/; large/ { for (i = 0; i < 4000; ++i) print "fence acquire" }
{ print }
