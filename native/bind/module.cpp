#include "bind/bind.hpp"

NB_MODULE(_core, m) {
    m.doc() = "The native core of plyground.";
    plyground::bind_core(m);
    plyground::bind_engine(m);
    plyground::bind_proof(m);
    plyground::bind_connect_four(m);
    plyground::bind_reasons(m);
    plyground::bind_batch(m);
    plyground::bind_walk(m);
    plyground::bind_text(m);
    plyground::bind_judge(m);
    plyground::bind_learn(m);
}
