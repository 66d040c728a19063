import { configure } from '@testing-library/react'

// How long something takes is what the benches measure; a processor that others use as well fails no test.
configure({ asyncUtilTimeout: 10_000 })
