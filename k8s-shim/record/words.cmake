# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT: a list of the words of all string literals in the sources of FOLDERS (below ROOT). The
# scheduler makes its sentences of these words (record/vocabulary.h). Other words of a recorded sentence are
# replaced.
set(all "")
foreach(folder ${FOLDERS})
  file(GLOB sources ${ROOT}/${folder}/*.c ${ROOT}/${folder}/*.h)
  foreach(source ${sources})
    file(READ ${source} text)
    string(REGEX REPLACE "[][;]" " " text "${text}") # these characters would split CMake's lists
    string(REGEX MATCHALL "\"[^\"\n]*\"" literals "${text}")
    string(REGEX REPLACE "\\\\[nrt]" " " literals "${literals}")
    string(REGEX REPLACE "([a-z])%s" "\\1s " plurals "${literals}") # "node%s" is also "nodes"
    string(REGEX REPLACE "%[-0-9.*]*(ll|z|l)?[a-zA-Z]" " " literals "${literals} ${plurals}")
    string(TOLOWER "${literals}" literals)
    string(REGEX MATCHALL "[a-z]+" words "${literals}")
    list(APPEND all ${words})
    list(REMOVE_DUPLICATES all)
  endforeach()
endforeach()
list(SORT all)
list(JOIN all "\",\n    \"" body)
file(WRITE ${OUTPUT} "#include \"record/vocabulary.h\"\n\nconst char *const yk_sentence_words[] = {\n    \"${body}\"};\n"
  "const size_t yk_sentence_word_count = YK_COUNT(yk_sentence_words);\n")
