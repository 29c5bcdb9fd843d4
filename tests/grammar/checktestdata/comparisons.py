"""Texts of Checktestdata for which a grammar may be wrong, and inputs that show it (a blank is a line end).

What the grammar accepts is `exact`, `more`, `less` or `both`; `none` says that there is no grammar.
"""

COMPARISONS = [
    (
        ("INT(2,5,n) NEWLINE SET(x=40) SET(last=0) REP(n) SET(last=x) INT(1,50,x) NEWLINE ASSERT(last<x) END"),
        "more",
        ["2 3 4"],
    ),
    ("INT(0,9,n) NEWLINE IF(n==0) EOF END INT(1,9) NEWLINE", "more", ["0 3"]),
    ("INT(0,9,n) NEWLINE EOF", "exact", []),
    ("FLOATP(0,100,1,2,x,FIXED) NEWLINE", "exact", ["5.0e1", "50.0"]),
    ("FLOATP(0,100,1,2) NEWLINE", "less", ["5.0e1", "50.0"]),
    ("FLOATP(0,1,1,20,x,FIXED) NEWLINE", "less", ["1.00000000000000000001"]),
    # What a loop or a condition sets is not what it was before.
    ("INT(2,9,n) NEWLINE SET(last=0) REP(n) INT(1,9,x) NEWLINE SET(last=x) END ASSERT(last<5)", "more", ["2 1 9"]),
    ("INT(2,9,n) NEWLINE SET(last=0) REP(n) INT(1,9,x) NEWLINE ASSERT(x!=last) SET(last=x) END", "exact", ["2 3 3"]),
    ("INT(2,9,n) NEWLINE SET(last=0) REP(n) INT(1,9,x) NEWLINE ASSERT(x-last<=3) SET(last=x) END", "exact", ["2 3 6"]),
    ("INT(1,5,n) NEWLINE SET(last=n) REP(n) INT(1,9,x) NEWLINE ASSERT(last<=x) SET(last=x) END", "exact", ["2 1 4"]),
    ("INT(1,5,n) NEWLINE SET(last=3) REP(n) INT(1,9,x) NEWLINE SET(last=x) ASSERT(x!=last+1) END", "exact", []),
    (
        "INT(1,5,n) NEWLINE SET(last=3) REP(n) INT(1,9,x) SPACE INT(last,9) NEWLINE SET(last=x) END",
        "exact",
        ["2 5 3 1 5"],
    ),
    ("INT(1,5,n) NEWLINE SET(last=3) REP(n) INT(last,9,x) NEWLINE SET(last=x) END", "none", []),
    ("INT(1,5,n) NEWLINE REP(n) INT(1,9,x) NEWLINE ASSERT(x!=last) SET(last=x) END", "more", []),
    (
        (
            'INT(1,5,n) NEWLINE SET(last=2) REP(n) INT(1,4,x) NEWLINE REGEX("[a-z]+",s) NEWLINE '
            "ASSERT(STRLEN(s)<=last) SET(last=x) END"
        ),
        "less",
        [],
    ),
    (
        "INT(1,5,n) NEWLINE SET(last=2) REP(n) INT(1,4,x) NEWLINE REP(last) INT(1,2) NEWLINE END SET(last=x) END",
        "none",
        [],
    ),
    (
        "INT(1,9,n) NEWLINE SET(c=0) REP(n) INT(0,1,x) NEWLINE IF(x==1) SET(c=c+1) END END ASSERT(c<=2)",
        "more",
        ["3 1 1 1"],
    ),
    # A variable that a condition sets has one of two values.
    ("INT(1,9,n) NEWLINE SET(m=5) IF(n>3) SET(m=9) ELSE SET(m=5) END INT(1,m) NEWLINE", "exact", ["3 6", "4 6"]),
    ("INT(1,9,n) NEWLINE SET(m=5) IF(n>3) SET(m=m+n) END INT(m,20) NEWLINE", "exact", ["3 5", "4 8", "4 9"]),
    ("INT(1,9,n) NEWLINE SET(m=5) IF(n>3) IF(n>6) SET(m=1) END SET(k=m) END INT(1,m) NEWLINE", "exact", ["7 2", "4 2"]),
    ("INT(1,9,n) NEWLINE IF(n>3) SET(m=1) END INT(1,m) NEWLINE", "none", []),
    ("INT(1,9,n) NEWLINE IF(n) SET(m=1) ELSE SET(m=2) END INT(1,m) NEWLINE", "none", []),
    ("INT(0,9,n) NEWLINE IF(n>3) SET(m=7/n) ELSE SET(m=0) END INT(1,9) NEWLINE", "more", ["0 2"]),
    ("INT(0,9,n) NEWLINE IF(n>3) SET(m=7/n) ELSE SET(m=0) END INT(m,9) NEWLINE", "none", []),
    (
        (
            "INT(1,4,n) NEWLINE REPI(i,n,NEWLINE) IF(2<n-i) SET(c=3) ELSE SET(c=n-i) END "
            "REP(c,SPACE) INT(0,9) END END NEWLINE"
        ),
        "exact",
        [],
    ),
    (
        "INT(1,9,n) NEWLINE SET(m=5) IF(n>3) INT(0,1) NEWLINE SET(m=9) END INT(1,9,x) NEWLINE ASSERT(x<=m)",
        "more",
        ["4 1 8"],
    ),
    ("INT(1,9,n) NEWLINE IF(n>3) INT(0,1,n) NEWLINE END INT(1,9,x) NEWLINE ASSERT(x<=n)", "more", ["4 1 3"]),
    (
        "INT(2,9,n) NEWLINE REPI(i,n) INT(1,9) NEWLINE END REPI(i,n) INT(0,9,x) NEWLINE ASSERT(x<=i) END",
        "exact",
        ["2 1 1 0 2", "2 1 1 0 1"],
    ),
    ("INT(2,9,n) NEWLINE REPI(i,n) INT(1,9) NEWLINE END ASSERT(i<4)", "exact", ["3 1 1 1", "4 1 1 1 1"]),
    ("INT(1,9,x) NEWLINE REP(2) INT(1,9,y) SPACE ASSERT(y<=x) INT(1,9,x) NEWLINE END", "more", ["5 4 3", "9 1 2 9 9"]),
    ("INT(1,9,n) NEWLINE REP(2) SET(m=n-1) INT(0,m) NEWLINE INT(1,9,n) NEWLINE END", "none", []),
    ("REP(3) INT(1,9,n) NEWLINE SET(m=n-1) INT(0,m) NEWLINE END", "exact", ["3 2 1 0 5 5", "3 2 1 0 5 4"]),
    # The counter of a loop is the number of the repetition from 0.
    ("INT(1,6,n) NEWLINE REPI(i,n) INT(0,i,x) NEWLINE END", "exact", ["2 0 1", "2 0 2", "2 1 1"]),
    ("INT(2,6,n) NEWLINE REPI(i,n-1,SPACE) INT(1,i+1) END NEWLINE", "exact", []),
    ("INT(2,6,n) NEWLINE REPI(i,n-1) INT(1,i+1,p) SPACE INT(1,9) NEWLINE END", "exact", []),
    ("INT(1,6,n) NEWLINE REPI(i,n) REPI(j,n,SPACE) INT(0,i+j) END NEWLINE END", "exact", []),
    ("INT(1,6,n) NEWLINE REPI(i,n) REPI(j,i+1,SPACE) INT(0,3) END NEWLINE END", "exact", []),
    ("INT(1,6,n) NEWLINE REPI(i,n) REPI(i,2) INT(i,3) NEWLINE END INT(0,9,x) NEWLINE END", "exact", []),
    ("REPI(i,2) INT(1,9,i) NEWLINE INT(1,i) NEWLINE END", "exact", ["9 8 3 3", "9 8 3 4"]),
    ("INT(1,4,n) NEWLINE REPI(i,n,SPACE) INT(i,9) SPACE INT(0,i) END NEWLINE", "none", []),
    ("INT(1,4,n) NEWLINE REPI(i,n,SPACE) INT(i,9,a[i]) END NEWLINE ASSERT(UNIQUE(a))", "none", []),
    ("WHILEI(i,!ISEOF) INT(0,i) NEWLINE END", "less", ["0 1 2", "0 2"]),
    ("INT(1,4,n) NEWLINE REPI(i,n) IF(n>2) INT(0,i) NEWLINE END INT(i,9) NEWLINE END ASSERT(i<4)", "exact", []),
    ('INT(1,4,n) NEWLINE REPI(i,n) REGEX("[ab]{1,9}",s) NEWLINE ASSERT(STRLEN(s) == i+1) END', "exact", []),
    # The first value of a line decides which values follow.
    (
        (
            "INT(1,5,n) NEWLINE REP(n) INT(1,3,t) IF(t==1) SPACE INT(1,9) END IF(t==2) SPACE INT(1,9,x) "
            "SPACE INT(x,9) END NEWLINE END"
        ),
        "exact",
        [],
    ),
    (
        "INT(1,5,n) NEWLINE REP(n) INT(1,3,t) IF(t<=2) SPACE INT(1,n) ELSE SPACE INT(5,9) END NEWLINE END",
        "exact",
        [],
    ),
    ('INT(1,5,n) NEWLINE REP(n) REGEX("push|pop",s) IF(s=="push") SPACE INT(1,n) END NEWLINE END', "exact", []),
    (
        (
            'INT(1,5,n) NEWLINE REP(n,NEWLINE) REGEX("(add|del|top)",s) SPACE INT(1,9,a) '
            'IF(s=="add" || s == "del") SPACE INT(1,a) END END NEWLINE'
        ),
        "exact",
        [],
    ),
    (
        (
            'INT(2,5,n) NEWLINE REP(n) REGEX("[?+-]",s) SPACE INT(1,n,a) IF(s=="?") SPACE INT(1,n,b) ASSERT(a!=b) '
            "END NEWLINE END"
        ),
        "more",
        [],
    ),
    (
        (
            'INT(1,5,n) NEWLINE REP(n) INT(1,2,t) SPACE IF(t==1) INT(1,9) ELSE REGEX("[a-z]+",s) '
            "ASSERT(STRLEN(s)<=n) END NEWLINE END"
        ),
        "exact",
        [],
    ),
    (
        (
            "INT(1,5,n) NEWLINE REP(n) INT(1,3,t) IF(t==1) SPACE INT(1,9) ELSE IF(t==2) SPACE INT(2,3) END END "
            "NEWLINE END"
        ),
        "exact",
        [],
    ),
    ("INT(1,1,t) IF(t!=2) SPACE INT(1,9) END NEWLINE", "exact", []),
    ("INT(1,2,t) SPACE INT(1,5,x) IF(t==1) SPACE INT(1,9) END NEWLINE ASSERT(x<3)", "more", []),
    ("INT(0,1,t) IF(t==1) SPACE INT(1,4,n) END NEWLINE INT(1,t+1) NEWLINE", "none", []),
    ("INT(1,2,t) SPACE INT(1,5,x) IF(x==1) SPACE INT(1,9) END NEWLINE", "none", []),
    ("INT(1,2,t) IF(t==1) SPACE INT(1,2,t) END IF(t==2) SPACE INT(1,9) END NEWLINE", "none", []),
    ("INT(1,2,t) IF(t==1) NEWLINE INT(1,2) END NEWLINE", "none", []),
    ("INT(1,9,n) NEWLINE INT(1,2,t) IF(t==n) SPACE INT(1,2) END NEWLINE", "none", []),
    ('REGEX("a|ab",s) IF(s=="a") SPACE INT(1,9) END NEWLINE', "none", []),
    ('REGEX("[ab]",s) IF(s=="a") REGEX("[cd]") END SPACE INT(1,9) NEWLINE', "none", []),
    # A total belongs to the loop directly after it is 0.
    (
        (
            "SET(s=0) INT(1,9,t) NEWLINE REP(t) INT(1,9,n) NEWLINE REP(n) INT(1,9,x) NEWLINE SET(s=s+x) "
            "END END ASSERT(s<=10)"
        ),
        "more",
        ["2 1 9 1 9"],
    ),
    (
        "INT(1,9,t) NEWLINE REP(t) SET(s=0) REP(2) INT(1,9,x) NEWLINE SET(s=s+x) END ASSERT(s<=9) END",
        "exact",
        ["1 5 5", "2 5 4 4 5"],
    ),
    ("INT(1,9,t) NEWLINE SET(s=0) REP(t) INT(-5,5,x) NEWLINE SET(s=s+x) END ASSERT(s<=3)", "more", ["2 5 -5"]),
    (
        "INT(1,9,t) NEWLINE SET(s=0) REP(t) INT(-5,5,x) NEWLINE SET(s=s+x) ASSERT(s<=3) END",
        "exact",
        ["2 5 -5", "2 -5 5"],
    ),
    ("INT(1,9,t) NEWLINE SET(s=0) REP(t) INT(1,9,x) NEWLINE SET(s=s+x) SET(s=s+x) END ASSERT(s<=9)", "more", ["1 5"]),
    (
        (
            "INT(1,9,t) NEWLINE SET(s=0) REP(t) INT(1,9,x) NEWLINE SET(s=s+x) END IF(t>1) ASSERT(s<=9) "
            "INT(1,2) NEWLINE END"
        ),
        "more",
        ["1 9", "2 5 5 1"],
    ),
    ("INT(1,9,n) NEWLINE SET(c=0) REP(n,SPACE) INT(1,9) SET(c=c+1) END NEWLINE ASSERT(c<=3)", "more", ["4 1 1 1 1"]),
    # What a pattern with `*` repeats is enough if the word is short.
    ('REGEX("[A-Z]?[a-z]*",s) NEWLINE ASSERT(STRLEN(s)<=50)', "exact", ["a" * 50, "a" * 51]),
    ('REGEX("[A-Z]?[a-z]*",s) NEWLINE ASSERT(STRLEN(s)<=500)', "less", ["a" * 200]),
    (
        'INT(1,2,n) NEWLINE REGEX("[A-Z]?[a-z]*",s) NEWLINE IF(n==1) ASSERT(STRLEN(s)<5) INT(1,2) NEWLINE END',
        "less",
        [],
    ),
    # The narrowest of several limits counts.
    ('REGEX("[a-z]{1,10}",s) NEWLINE ASSERT(STRLEN(s)<=20)', "exact", ["a" * 15]),
    ('REGEX("[a-z]{3,10}",s) NEWLINE ASSERT(STRLEN(s)>0)', "exact", ["a"]),
    ('INT(1,9,n) NEWLINE REGEX("[a-z]{1,5}",s) NEWLINE ASSERT(STRLEN(s)<=n)', "exact", ["9 aaaaaa", "2 aaa", "2 aa"]),
    (
        'INT(1,9,n) NEWLINE REGEX("[a-z]{1,5}",s) NEWLINE IF(n>1) ASSERT(STRLEN(s)<=2) INT(1,2) NEWLINE END',
        "exact",
        ["1 aaa", "2 aaa 1"],
    ),
    ("SET(c=0) WHILE(!ISEOF) INT(0,9) NEWLINE SET(c=c+1) END ASSERT(c<=3) ASSERT(c<=5)", "exact", ["1 1 1 1"]),
    (
        "INT(1,9,t) NEWLINE SET(s=0) REP(t) INT(1,20,n) NEWLINE SET(s=s+n) END ASSERT(s<=10) ASSERT(s<=100)",
        "exact",
        ["2 9 9"],
    ),
    # An order includes the value before the first.
    ("INT(2,9,n) NEWLINE SET(last=10) REP(n) INT(1,50,x) NEWLINE ASSERT(last<x) SET(last=x) END", "exact", ["2 3 4"]),
    (
        (
            "INT(1,9,t) NEWLINE SET(last=0) REP(t) INT(1,9,n) NEWLINE REP(n) INT(1,50,x) NEWLINE "
            "ASSERT(last<x) SET(last=x) END END"
        ),
        "more",
        ["2 1 5 1 4"],
    ),
    (
        "INT(1,9,t) NEWLINE REP(t) SET(last=9) REP(2) INT(1,9,x) NEWLINE ASSERT(last>=x) SET(last=x) END END",
        "exact",
        ["1 5 6", "1 6 5"],
    ),
    ("INT(2,9,n) NEWLINE SET(last=0) REP(n) INT(1,50,x) NEWLINE SET(last=x) ASSERT(last<=x) END", "exact", ["2 4 3"]),
    # UNIQUE is about all values of an array.
    ("REPI(i,2) REPI(j,2,SPACE) INT(1,9,a[i,j]) END NEWLINE END ASSERT(UNIQUE(a))", "more", []),
    (
        "INT(1,9,t) NEWLINE REPI(k,t) INT(1,9,n) NEWLINE REPI(j,n) INT(1,9,a[k,j]) NEWLINE END END ASSERT(UNIQUE(a))",
        "more",
        ["2 1 5 1 5"],
    ),
    (
        "INT(1,9,t) NEWLINE REP(t) INT(1,9,n) NEWLINE REPI(j,n) INT(1,9,a[j]) NEWLINE END ASSERT(UNIQUE(a)) END",
        "more",
        ["2 2 1 2 1 2"],
    ),
    (
        (
            "INT(1,9,t) NEWLINE REP(t) INT(1,9,n) NEWLINE REPI(j,n) INT(1,9,a[j]) NEWLINE END "
            "ASSERT(UNIQUE(a)) UNSET(a) END"
        ),
        "exact",
        ["2 2 1 2 1 2", "1 2 1 1"],
    ),
    ("REP(2) REPI(j,2) INT(1,9,a[j]) NEWLINE END ASSERT(UNIQUE(a)) END", "exact", ["1 2 1 2", "1 2 1 1"]),
    ("REP(2) INT(1,9,x) NEWLINE END ASSERT(UNIQUE(x))", "more", ["1 1"]),
    ("REPI(i,2) FLOATP(0,1,1,2,a[i],FIXED) NEWLINE END ASSERT(UNIQUE(a))", "more", ["0.5 0.50"]),
    # Division rounds to 0, and an index is fixed.
    ("INT(-9,9,a) NEWLINE INT(1,9,b) NEWLINE ASSERT(a/b==-1)", "more", ["-3 2", "-1 2"]),
    ("INT(-9,9,a) NEWLINE INT(1,9) NEWLINE ASSERT(a%3==-1)", "more", ["-1 1", "-4 1"]),
    ("INT(0,9,a) NEWLINE INT(1,9,b) NEWLINE ASSERT(a/b==1 && a%b==1)", "exact", ["3 2", "4 2"]),
    ("INT(0,9,a) NEWLINE SET(m=5/a)", "more", ["0"]),
    ("INT(1,9,a) NEWLINE SET(m=5/a) INT(0,m) NEWLINE", "exact", ["2 2", "2 3"]),
    ("INT(0,9,a) NEWLINE ASSERT(a/2E0<=3)", "more", ["7"]),
    (
        "REPI(i,2) INT(1,9,x) NEWLINE INT(1,9,a[x]) NEWLINE INT(1,9,x) NEWLINE ASSERT(a[x]>3) END",
        "more",
        ["1 2 1 2 2 2"],
    ),
    # A regular expression takes the first alternative, and all it can.
    ('REGEX("a|ab") NEWLINE', "more", ["a", "ab"]),
    ('REGEX("ab|a|(c|cd)") NEWLINE', "more", ["a", "ab", "cd"]),
    ('REGEX("for|foo|f") NEWLINE', "exact", ["f", "foo"]),
    ('REGEX("[a-z]{1,3}") REGEX("[a-z]{1,3}") NEWLINE', "more", ["ab", "abcd"]),
    ('REGEX("[a-z]{3}") REGEX("[a-z]{1,3}") NEWLINE', "exact", ["ab", "abcd"]),
    ('REGEX("[a-z]{1,3}") INT(1,10) STRING("a") NEWLINE', "exact", ["ab1a", "a10a"]),
    ("INT(1,100) INT(1,100) NEWLINE", "more", ["11", "1001"]),
    ("REP(2) INT(0,3) END NEWLINE", "more", ["11"]),
    ('REP(3) REGEX("a?") END NEWLINE', "none", []),
    ('REGEX(".{1,5}") NEWLINE', "both", ["\xe9", "ab", "abcde"]),
    ('STRING("a") REGEX("[^\n]{1,5}") NEWLINE', "less", ["a b\xe9"]),
    ('REGEX("[[:upper:]][[:digit:]x]{1,3}") NEWLINE', "exact", ["A9x", "A", "AA"]),
    ('REGEX(".{1,5}") SPACE INT(1,9) NEWLINE', "none", []),
    ('REGEX("[^,]{1,5}") NEWLINE', "both", []),
    ('REGEX("[^ \n]{1,5}") NEWLINE', "less", ["\xe9"]),
    ('INT(1,9) SPACE REGEX("^[a-z]{1,3}") NEWLINE', "exact", []),
    ('REP(2) REGEX("[a-z]{1,3}$") NEWLINE END', "more", ["a a"]),
    ('REGEX("(ab)?") NEWLINE', "exact", ["", "ab"]),
    # Blanks and line ends where a loop has no repetitions.
    ("INT(0,3,n) NEWLINE INT(1,2) SPACE REP(n,SPACE) INT(1,9) END NEWLINE", "both", []),
    ("INT(0,3,n) NEWLINE REP(n,SPACE) INT(1,9) END SPACE INT(1,2) NEWLINE", "both", []),
    ("INT(0,3,n) NEWLINE INT(1,2) REP(n) SPACE INT(1,9) END NEWLINE", "exact", []),
    ("INT(0,3,n) NEWLINE REP(n,NEWLINE) INT(1,9) END NEWLINE", "both", ["0", "0 "]),
    ("INT(1,3,n) NEWLINE REP(n,NEWLINE) INT(1,9) END SET(m=1) NEWLINE", "exact", []),
    ("INT(1,3,n) NEWLINE REP(n,NEWLINE) INT(1,9) END", "none", []),
    ("INT(1,3,n) NEWLINE REP(n,SPACE) INT(1,9) NEWLINE END", "none", []),
    ("FLOATP(1,9,1,2,x,SCIENTIFIC) NEWLINE", "none", []),
    ('INT(1,9,n) STRING("x") SPACE INT(1,n) NEWLINE', "none", []),
]
