import { signUp } from './acts/signing-up.ts'
import type { Memory, Robot } from './acts/act.ts'
import { checkAccount } from './oracle/books.ts'
import type { Violation } from './oracle/violation.ts'
import { createClient } from './people/client.ts'
import { drawPerson } from './people/person.ts'
import { planOf } from './people/plan.ts'
import { createRandom, seedOf } from './people/random.ts'
import type { Product } from './stage/product.ts'

export interface RunPlan {
  readonly seed: number
  readonly people: number
  readonly acts: number
  /** The first person; the others before are left out. */
  readonly from: number
  readonly sideBySide: number
  readonly pagesPercent: number
  /** Acts of each person that are left out: for shrinking. */
  readonly without?: ReadonlySet<number>
}

/** What one person did, readable line by line, and what was wrong. */
export interface Told {
  readonly at: number
  readonly who: string
  readonly lines: string[]
  readonly found: (Violation & { readonly act: number })[]
}

/** Lets everybody do what they have drawn, so many side by side. */
export async function runPeople(product: Product, plan: RunPlan, tell: (told: Told) => void = () => undefined): Promise<Told[]> {
  const codes: string[] = []
  const all: Told[] = []
  let next = plan.from
  const worker = async (): Promise<void> => {
    for (let at = next++; at < plan.from + plan.people; at = next++) {
      const told = await runPerson(product, plan, at, codes)
      all.push(told)
      tell(told)
    }
  }
  await Promise.all(Array.from({ length: plan.sideBySide }, worker))
  return all.toSorted((a, b) => a.at - b.at)
}

async function runPerson(product: Product, plan: RunPlan, at: number, codes: string[]): Promise<Told> {
  const person = drawPerson(plan.seed, at, plan.pagesPercent)
  const { lang, width, region, chineseName, lastName, firstName, address, isMinor } = person
  const who = `${at}: ${chineseName || `${firstName} ${lastName}`}${isMinor ? ', a minor' : ''}, ${region}, ${lang}, ${width}, ${[...Object.values(address)].join(' ').trim()}`
  const told: Told = { at, who, lines: [], found: [] }
  let act = -1
  const report = (violation: Violation): void => {
    if (told.found.some((one) => one.rule === violation.rule && one.subject === violation.subject && one.seen === violation.seen)) return
    told.found.push({ ...violation, act })
    told.lines.push(`    ✗ ${violation.rule}: ${violation.subject}: ${violation.seen}; expected ${violation.expected}`)
  }
  const calls: string[] = []
  const client = createClient(person, { siteUrl: product.siteUrl, report, note: (line) => void calls.push(line) })
  const memory: Memory = { userId: '', hasPin: false, contact: '', isGone: false, keys: [], paid: [] }
  const robot: Robot = { person, client, product, memory, codes, report }
  const step = async (name: string, run: () => Promise<string>): Promise<void> => {
    const found = told.found.length
    calls.length = 0
    const outcome = await run().catch((error: Error) => {
      report({ rule: 'an act comes to an end', subject: name, seen: error.stack?.split('\n').slice(0, 3).join(' ') ?? error.message, expected: 'no exception' })
      return 'broke off'
    })
    if (!memory.isGone && memory.userId)
      await checkAccount(robot).catch((error: Error) => report({ rule: 'books can be read', subject: name, seen: error.message, expected: '' }))
    told.lines.push(`  ${String(act).padStart(2)} ${name}: ${outcome}`)
    if (told.found.length > found) told.lines.push(...calls.map((line) => `       ${line}`))
  }
  await step('sign up', () => signUp(robot, createRandom(seedOf(person.seed, 'sign up'))))
  for (const [index, { act: what, seed }] of planOf(person.seed, plan.acts).entries()) {
    act = index
    if (memory.isGone || !memory.userId || plan.without?.has(index)) continue
    await step(what.name, () => what.run(robot, createRandom(seed)))
  }
  return told
}
