/** The interface of the probe in the page. It is installed before the portal's scripts, which do not know about it. */
export interface Probe {
  /** Milliseconds from navigation to the first painted frame with a row that has text. */
  rowsAt: number | null
  /** Observes changes below an element for `begin`. */
  watch: (selector: string) => void
  /** Resolves with the time from the next key to the first frame, and to the last frame that changed the observed element. */
  begin: () => void
  result: Promise<{ first: number; shown: number; changes: number }>
  /** Milliseconds from the next keydown to the first painted frame that contains the selector. */
  until: (selector: string) => void
  untilDone: Promise<number>
  /** Collects the intervals between frames, and the frames without `row` at this point. */
  frames: (row: string, x: number, y: number) => void
  stop: () => { frames: number[]; blank: number; seen: number }
  /** Milliseconds for which each visible place showed a skeleton, since `frames`; resolves when the last one has its row. */
  filled: Promise<number[]>
}

declare global {
  interface Window {
    bench: Probe
  }
}

/** Runs in the page. `row` is the selector of a rendered row, `quiet` the milliseconds without change that count as settled. */
export function probe({ row, quiet }: { row: string; quiet: number }): void {
  const channel = new MessageChannel()
  let painted: ((at: number) => void)[] = []
  channel.port1.onmessage = () => {
    const at = performance.now()
    const due = painted
    painted = []
    for (const each of due) each(at)
  }
  // The first task after a frame was painted.
  const afterPaint = (then: (at: number) => void) =>
    requestAnimationFrame(() => {
      painted.push(then)
      channel.port2.postMessage(0)
    })

  let pressed: number | null = null
  let measurement: {
    first: number | null
    shown: number | null
    changes: number
    done: (result: Awaited<Probe['result']>) => void
  } | null = null
  let dirty = false
  let running = false

  const bench: Probe = {
    rowsAt: null,
    watch: (selector) =>
      new MutationObserver(() => {
        dirty = true
      }).observe(document.querySelector(selector) as Element, {
        childList: true,
        characterData: true,
        subtree: true,
        attributes: true,
      }),
    begin: () => {
      dirty = false
      pressed = null
      bench.result = new Promise((done, fail) => {
        setTimeout(() => fail(new Error('The list did not come to rest.')), 15_000)
        measurement = { first: null, shown: null, changes: 0, done }
      })
    },
    result: Promise.resolve({ first: 0, shown: 0, changes: 0 }),
    until: (selector) => {
      pressed = null
      bench.untilDone = new Promise((done, fail) => {
        setTimeout(() => fail(new Error(`${selector} did not appear.`)), 15_000)
        const look = (at: number) => {
          if (pressed !== null && document.querySelector(selector)) done(at - pressed)
          else afterPaint(look)
        }
        afterPaint(look)
      })
    },
    untilDone: Promise.resolve(0),
    frames: (selector, x, y) => {
      const at: number[] = []
      let blank = 0
      let seen = 0
      running = true
      const since = new Map<string, number>()
      const waits: number[] = []
      const grid = document.querySelector('[role=grid]') as Element
      const { top: above, bottom: below } = grid.getBoundingClientRect()
      const lookForSkeletons = (now: number) => {
        const places = new Set<string>()
        for (const each of grid.querySelectorAll<HTMLElement>('.grid-skeleton')) {
          const { top: first, bottom: last } = each.getBoundingClientRect()
          if (last > above && first < below) places.add(each.style.top)
        }
        for (const place of places) if (!since.has(place)) since.set(place, now)
        for (const [place, from] of since) {
          if (places.has(place)) continue
          waits.push(now - from)
          since.delete(place)
        }
      }
      bench.filled = new Promise((done) => {
        const wait = (now: number) => {
          lookForSkeletons(now)
          if (running || since.size > 0) afterPaint(wait)
          else done(waits)
        }
        afterPaint(wait)
      })
      const tick = (time: number) => {
        at.push(time)
        painted.push(() => {
          seen++
          if (!document.elementFromPoint(x, y)?.closest(selector)) blank++
        })
        channel.port2.postMessage(0)
        if (running) requestAnimationFrame(tick)
      }
      requestAnimationFrame(tick)
      bench.stop = () => {
        running = false
        return { frames: at.slice(1).map((time, index) => time - (at[index] as number)), blank, seen }
      }
    },
    stop: () => ({ frames: [], blank: 0, seen: 0 }),
    filled: Promise.resolve([]),
  }
  window.bench = bench

  const lookForRows = (at: number) => {
    if (document.querySelector(row)?.textContent?.trim()) bench.rowsAt = at
    else afterPaint(lookForRows)
  }
  afterPaint(lookForRows)

  addEventListener(
    'keydown',
    (event) => {
      pressed ??= event.timeStamp
    },
    true,
  )
  addEventListener(
    'input',
    () => {
      if (!measurement || measurement.first !== null) return
      const now = measurement
      let still = 0
      let last = performance.now()
      const frame = (at: number) => {
        // A long task counts as at most two frames: it is not quiet.
        still += Math.min(at - last, 34)
        last = at
        now.first ??= at
        if (dirty) {
          dirty = false
          now.shown = at
          now.changes++
          still = 0
        }
        if (still < (now.shown === null ? quiet + 80 : quiet)) return void afterPaint(frame)
        measurement = null
        const from = pressed ?? at
        now.done({ first: now.first - from, shown: (now.shown ?? now.first) - from, changes: now.changes })
      }
      afterPaint(frame)
    },
    true,
  )
}
