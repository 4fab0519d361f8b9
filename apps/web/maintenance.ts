import { create } from 'zustand'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { maintainContract } from '#features/payments/contract-maintain.ts'
import { createApi } from '#platform/web/calls/api.ts'
import { useLangStore } from '#platform/web/i18n.ts'

export type Maintenance = ReplyOf<typeof maintainContract.maintain>

const FRESH_MS = 60_000
const api = createApi(maintainContract, { alone: true })

export const useMaintenance = create<{ readonly now: Maintenance | undefined }>(() => ({ now: undefined }))

/** Kept for a minute (product.md 2.9) and asked again while somebody looks; texts follow the language. `heard`: an answer came, or none will. */
export function watchMaintenance(heard: () => void): () => void {
  let asked = 0
  const ask = async () => {
    if (document.visibilityState !== 'visible' || Date.now() - asked < FRESH_MS) return
    asked = Date.now()
    try {
      const now = await api.maintain()
      useMaintenance.setState({ now: now.isMaintain ? now : undefined })
    } catch {
      // Nobody knows: what was said last stays.
    }
    heard()
  }
  const again = () => {
    asked = 0
    void ask()
  }
  void ask()
  const timer = setInterval(() => void ask(), FRESH_MS)
  const onLook = () => void ask()
  document.addEventListener('visibilitychange', onLook)
  const unlisten = useLangStore.subscribe(again)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onLook)
    unlisten()
  }
}
