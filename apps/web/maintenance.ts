import { create } from 'zustand'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { maintainContract } from '#features/payments/contract-maintain.ts'
import { createApi } from '#platform/web/calls/api.ts'
import { useLangStore } from '#platform/web/i18n.ts'

export type Maintenance = ReplyOf<typeof maintainContract.maintain>

const FRESH_MS = 60_000
const api = createApi(maintainContract, { alone: true })

export const useSiteMaintenance = create<{ readonly now: Maintenance | undefined }>(() => ({ now: undefined }))

/**
 * Polls the maintenance state every minute (product.md 2.9) while the page is visible, and again on a change of language. `heard` runs after each
 * response or failure.
 */
export function watchMaintenance(heard: () => void): () => void {
  let asked = 0
  const ask = async () => {
    if (document.visibilityState !== 'visible' || Date.now() - asked < FRESH_MS) return
    asked = Date.now()
    try {
      const now = await api.maintain()
      useSiteMaintenance.setState({ now: now.isMaintain ? now : undefined })
    } catch {
      // State unknown: keep the last one.
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
