import { rejectedError } from '#platform/shared/suppliers/supplier-error.ts'
import { randomBytes, randomInt } from 'node:crypto'
import { subtractNano, parseUsd } from '#platform/shared/money.ts'
import { findMessageCode } from '../port.ts'
import type { NumberCountry, NumberSupplier, NumberTools, NumberSupplierVendor } from '../port.ts'
import { endHeld, heldByRef, heldOpen, insertHeld, moodOf, spentAt } from './data.ts'

const NAME = 'sandbox'
const COST = parseUsd('0.2')
const FUNDS = parseUsd('1000')
const SLOW_MS = 3_000
const EARLY_MS = 120_000
/** Number prefixes reserved for fiction, by country, to be followed by four digits. */
const NUMBERS: Readonly<Record<NumberCountry, string>> = { US: '+12135550', GB: '+447700900', DE: '+491555550', BR: '+551195550', ID: '+62811555' }

/** A supplier without telephones. Texts to a number are entered on its page, `/sandbox/numbers`, which also sets its faults. */
export const sandbox: NumberSupplierVendor = {
  name: NAME,
  sandbox: true,
  env: {},
  connect: (_config, tools) => supplierOf(tools),
}

async function awake({ query }: NumberTools) {
  const mood = await moodOf(query)
  if (mood === 'down') throw new Error('the sandbox supplier is down')
  if (mood === 'slow') await new Promise((done) => setTimeout(done, SLOW_MS))
  return mood
}

function supplierOf(tools: NumberTools): NumberSupplier {
  const { query } = tools
  return {
    name: NAME,
    offer: async () => ((await awake(tools)) === 'empty' ? undefined : { cost: COST, count: 1000 }),
    rent: async ({ service, country, maxCost }) => {
      const mood = await awake(tools)
      if (mood === 'empty') throw rejectedError('no_numbers')
      if (mood === 'poor') throw rejectedError('no_balance')
      if (maxCost < COST) throw rejectedError('too_dear')
      const ref = randomBytes(8).toString('hex')
      for (let tries = 0; tries < 20; tries++) {
        const number = `${NUMBERS[country]}${String(randomInt(1000)).padStart(3, '0')}`
        if (await insertHeld(query, { ref, number, service, country, cost: COST })) return { ref, number, cost: COST }
      }
      throw rejectedError('no_numbers')
    },
    look: async ({ ref }) => {
      await awake(tools)
      const held = await heldByRef(query, ref)
      const messages = (held?.texts ?? []).map((text, index) => ({ key: `${index}`, text, code: findMessageCode(text) }))
      return { state: !held || held.state === 'cancelled' ? 'gone' : held.state === 'finished' ? 'done' : 'open', messages }
    },
    finish: async ({ ref }) => {
      await awake(tools)
      await endHeld(query, ref, 'finished')
    },
    cancel: async ({ ref }) => {
      const mood = await awake(tools)
      const held = await heldByRef(query, ref)
      if (!held || held.state === 'cancelled') return 'cancelled'
      if (mood === 'early' && tools.now().getTime() - held.createdAt.getTime() < EARLY_MS) return 'too_early'
      return (await endHeld(query, ref, 'cancelled')) ? 'cancelled' : 'received'
    },
    open: async () => {
      await awake(tools)
      return (await heldOpen(query)).map(({ ref, number }) => ({ ref, number }))
    },
    balance: async () => subtractNano(FUNDS, await spentAt(query)),
  }
}
