import { configure } from '@testing-library/react'

// Durations are measured by the benchmarks; a busy processor must not fail a test.
configure({ asyncUtilTimeout: 10_000 })
