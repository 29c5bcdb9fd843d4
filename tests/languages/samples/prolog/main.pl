:- use_module(library(readutil)).

main :-
    read_line_to_string(user_input, Mode),
    read_string(user_input, _, Text),
    split_string(Text, "\n", "\n ", Words),
    exclude(==(""), Words, Numbers0),
    maplist(number_string, Numbers, Numbers0),
    ( Mode == "fail" -> halt(3) ; sum_list(Numbers, Sum), writeln(Sum) ).
