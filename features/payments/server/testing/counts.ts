import { chooseRounds } from '#platform/testing/rounds.ts'

/** All permutations of a list; a short run gets an evenly spaced sample. */
export function samplePermutations<T>(all: readonly T[], few: number): readonly (readonly T[])[] {
  const every = permutations(all)
  const step = Math.max(1, Math.floor(every.length / chooseRounds(few, every.length)))
  return every.filter((_, at) => at % step === 0)
}

function permutations<T>(all: readonly T[]): T[][] {
  return all.length < 2 ? [[...all]] : all.flatMap((one, at) => permutations(all.toSpliced(at, 1)).map((rest) => [one, ...rest]))
}

/** Runs `work` on every item in batches of `size`. */
export async function runInBatches<T>(all: readonly T[], size: number, work: (each: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += size) await Promise.all(all.slice(at, at + size).map(work))
}
