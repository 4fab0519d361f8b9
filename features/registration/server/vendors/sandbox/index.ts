import { rejectedError } from '#platform/shared/suppliers/supplier-error.ts'
import { randomBytes } from 'node:crypto'
import { REGISTRATION_REASONS } from '../port.ts'
import type { RegistrationJob, RegistrationReason, RegistrationSupplierVendor } from '../port.ts'
import { endJob, insertJob, jobByKey, jobByRef, loseOnce } from './data.ts'
import type { SandboxJob } from './data.ts'

const SLOW_MS = 3_000
const isReason = (word: string): word is RegistrationReason => (REGISTRATION_REASONS as readonly string[]).includes(word)
const shown = ({ ref, state, reason }: SandboxJob): RegistrationJob => ({ ref, state, ...(isReason(reason) ? { reason } : {}) })

/** A sandbox supplier with its own records, one job per key. The setting `fault` selects its faults; its records stay correct even then. */
export const sandbox: RegistrationSupplierVendor = {
  name: 'sandbox',
  sandbox: true,
  env: {},
  connect: (_config, { query, now, fault }) => {
    const awake = async () => {
      const wish = await fault()
      if (wish === 'down') throw new Error('the supplier is down')
      if (wish === 'text') throw new SyntaxError(`Unexpected token 'S', "Service busy" is not valid JSON`)
      return wish
    }
    /** Completes a slow job by itself, a late one on an attempt to cancel it. */
    const current = async (job: SandboxJob | undefined): Promise<SandboxJob | undefined> => {
      if (job?.state !== 'working' || now().getTime() - job.createdAt.getTime() < SLOW_MS || (await fault()) === 'late') return job
      await endJob(query, job.ref, 'done')
      return jobByRef(query, job.ref)
    }
    const known = async (ref: string): Promise<SandboxJob> => {
      const job = await current(await jobByRef(query, ref))
      if (!job) throw new Error(`no job ${ref}`)
      return job
    }
    return {
      name: 'sandbox',
      submit: async ({ key, account }) => {
        const wish = await awake()
        if (wish === 'busy') throw rejectedError('busy')
        const state = wish === 'slow' || wish === 'late' ? 'working' : isReason(wish) ? 'failed' : 'done'
        const make = () => insertJob(query, { ref: `reg_${randomBytes(8).toString('hex')}`, key, account, state, reason: isReason(wish) ? wish : '' })
        const job = await make()
        if (wish === 'double') await make()
        if (wish === 'lost' && (await loseOnce(query, key))) throw new Error('the answer was lost')
        return shown(job)
      },
      find: async (key) => {
        await awake()
        const job = await current(await jobByKey(query, key))
        return job && shown(job)
      },
      look: async (ref) => {
        await awake()
        return shown(await known(ref))
      },
      cancel: async (ref) => {
        const wish = await awake()
        await endJob(query, ref, wish === 'late' ? 'done' : 'cancelled')
        return (await known(ref)).state === 'done' ? 'done' : 'cancelled'
      },
    }
  },
}
