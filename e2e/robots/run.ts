import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signInRobotAgain, signUpRobot } from './acts/signing-up.ts'
import type { RobotMemory, Robot } from './acts/act.ts'
import type { SupplierFaults } from './faults.ts'
import { checkRobotAccount } from './oracle/books.ts'
import type { RobotViolation } from './oracle/violation.ts'
import { createRobotClient } from './people/client.ts'
import { drawPerson } from './people/person.ts'
import type { createPeopleBrowser, PersonWindow } from './pages/window.ts'
import { lookAtMoneyPages } from './pages/acts.ts'
import { drawPlan } from './people/plan.ts'
import { createSeededRandom, deriveSeed } from './people/random.ts'
import type { RobotProduct } from './stage/product.ts'

export interface RobotRunPlan {
  readonly seed: number
  readonly people: number
  readonly acts: number
  /** Index of the first person; earlier ones are skipped. */
  readonly from: number
  readonly sideBySide: number
  readonly pagesPercent: number
  /** Percentage of acts that start with a failing supplier. */
  readonly faultsPercent: number
  readonly faults?: SupplierFaults
  readonly browser?: ReturnType<typeof createPeopleBrowser>
  /** Receives each act's line at once. */
  readonly live?: (line: string) => void
  /** Runs exactly these acts instead of drawn ones. */
  readonly named?: readonly string[]
  /** Acts of each person to skip, for shrinking. */
  readonly without?: ReadonlySet<number>
}

/** One person's acts as readable lines, and the violations. */
export interface PersonTrace {
  readonly at: number
  readonly who: string
  readonly lines: string[]
  readonly found: (RobotViolation & { readonly act: number })[]
  /** Signs in again and visits the money pages once more; only for people who use pages. */
  readonly lastLook?: () => Promise<void>
}

/** Runs the drawn acts of all people with limited parallelism. */
export async function runPeople(product: RobotProduct, plan: RobotRunPlan, tell: (told: PersonTrace) => void = () => undefined): Promise<PersonTrace[]> {
  const codes: string[] = []
  const all: PersonTrace[] = []
  let next = plan.from
  const worker = async (): Promise<void> => {
    for (let at = next++; at < plan.from + plan.people; at = next++) {
      const told = await runPerson(product, plan, { at, codes })
      all.push(told)
      tell(told)
    }
  }
  await Promise.all(Array.from({ length: plan.sideBySide }, worker))
  return all.toSorted((a, b) => a.at - b.at)
}

/** Saves a screenshot of the failed act and resolves to its path. */
async function saveScreenshot({ page }: PersonWindow): Promise<string | undefined> {
  const path = join(tmpdir(), `robots-${randomUUID()}.png`)
  return page.screenshot({ path }).then(
    () => path,
    () => undefined,
  )
}

async function runPerson(product: RobotProduct, plan: RobotRunPlan, { at, codes }: { readonly at: number; readonly codes: string[] }): Promise<PersonTrace> {
  const person = drawPerson(plan.seed, at, plan.pagesPercent)
  const { lang, width, region, chineseName, lastName, firstName, address, isMinor } = person
  const who = `${at}: ${chineseName || `${firstName} ${lastName}`}${isMinor ? ', a minor' : ''}, ${region}, ${lang}, ${width}, ${[...Object.values(address)].join(' ').trim()}`
  const told: PersonTrace = { at, who, lines: [], found: [] }
  let act = -1
  const report = (violation: RobotViolation): void => {
    if (told.found.some((one) => one.rule === violation.rule && one.subject === violation.subject && one.seen === violation.seen)) return
    told.found.push({ ...violation, act })
    told.lines.push(`    ✗ ${violation.rule}: ${violation.subject}: ${violation.seen}; expected ${violation.expected}`)
  }
  const calls: string[] = []
  let window: { readonly token: string; readonly of: Promise<PersonWindow> } | undefined
  const client = createRobotClient(person, { siteUrl: product.siteUrl, report, note: (line) => void calls.push(line) })
  const memory: RobotMemory = { userId: '', hasPin: false, contact: '', isGone: false, keys: [], paid: [] }
  const shut = async (): Promise<void> => {
    const last = window
    window = undefined
    await last?.of.then((one) => one.close()).catch(() => undefined)
  }
  const open = async (): Promise<PersonWindow> => {
    // a new token means that the person signed in again, so the old window is closed
    if (window?.token !== client.token) await shut()
    window ??= { token: client.token, of: plan.browser!.open(person, client.token, product.movedMs()) }
    return window.of
  }
  const robot: Robot = { person, client, product, memory, codes, report, ...(person.usesPages ? { window: open } : {}) }
  const step = async (name: string, run: () => Promise<string>): Promise<void> => {
    const found = told.found.length
    calls.length = 0
    const outcome = await run().catch(async (error: Error) => {
      const seen = error.stack?.split('\n').slice(0, 3).join(' ') ?? error.message
      const picture = window && (await saveScreenshot(await window.of))
      report({ rule: 'an act comes to an end', subject: name, seen, expected: `no exception${picture ? ` (${picture})` : ''}` })
      return 'broke off'
    })
    if (!memory.isGone && memory.userId)
      await checkRobotAccount(robot).catch((error: Error) => report({ rule: 'books can be read', subject: name, seen: error.message, expected: '' }))
    told.lines.push(`  ${String(act).padStart(2)} ${name}: ${outcome}`)
    plan.live?.(`[${at}] ${name}: ${outcome}`)
    if (told.found.length > found) told.lines.push(...calls.map((line) => `       ${line}`))
  }
  await step('sign up', () => signUpRobot(robot, createSeededRandom(deriveSeed(person.seed, 'sign up'))))
  for (const [index, { act: what, seed }] of drawPlan(person.seed, plan.acts, { usesPages: person.usesPages, named: plan.named }).entries()) {
    act = index
    if (memory.isGone || !memory.userId || plan.without?.has(index)) continue
    const random = createSeededRandom(deriveSeed(seed, 'fault'))
    const planted = random.percent(plan.faultsPercent) ? await plan.faults?.plant(random) : undefined
    if (planted) told.lines.push(`     (${planted})`)
    await step(what.name, () => what.run(robot, createSeededRandom(seed)))
  }
  await shut()
  if (!person.usesPages || memory.isGone || !memory.userId) return told
  const lastLook = async (): Promise<void> => {
    act = plan.acts
    await step('a last look, two weeks later', async () => `${await signInRobotAgain(robot)}: ${await lookAtMoneyPages(robot)}`)
    await shut()
  }
  return { ...told, lastLook }
}
