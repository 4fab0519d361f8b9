import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Options } from './options.ts'

/**
 * Measures the relay's own cost of a call in processor microseconds, without network and database; with `--against`, alternating with
 * another checkout.
 */
export async function benchRelayAlone(o: Options): Promise<void> {
  const child = 'bench/gateway/alone-child.ts'
  const trees = [join(import.meta.dirname, '../..'), ...(o.against === '' ? [] : [resolve(o.against)])]
  for (const tree of trees) if (!existsSync(join(tree, child))) throw new Error(`${tree} has no ${child}`)
  for (const kind of ['json', 'sse']) {
    const rounds = trees.map((): number[] => [])
    for (let round = 0; round < o.rounds; round++)
      for (const [at, tree] of trees.entries()) {
        const { NODE_OPTIONS: _, ...env } = process.env
        rounds[at]!.push(Number(execFileSync(process.execPath, [child, kind], { cwd: tree, env, encoding: 'utf8' })))
      }
    const [here, other] = rounds.map((times) => Math.min(...times))
    console.log(`\nthe relay alone: ${here!.toFixed(2)} microseconds of processor ${kind === 'sse' ? 'a stream of 64 chunks' : 'a call'}`)
    if (other !== undefined) console.log(`other: ${other.toFixed(2)}; ${(here! / other).toFixed(3)}`)
  }
}
