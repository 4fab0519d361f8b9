import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import type { UpgradeRow } from '../contract.ts'
import { upgradeTexts } from '../texts.ts'
import { refreshUpgrades, cacheUpgradeOrder, upgradeApi } from './use-upgrade.ts'

/** Leaves the queue after a question: the place is gone for good. */
export function useLeave({ id, total, last4 }: UpgradeRow) {
  const t = useTexts(upgradeTexts)
  const [isLeaving, setLeaving] = useState(false)
  const leave = async (): Promise<void> => {
    const body = t('leaveBody', { amount: displayUsd(total), last4 })
    if (!(await confirm({ title: t('leaveTitle'), body, action: t('leaveDo'), cancel: t('stay'), danger: true }))) return
    setLeaving(true)
    try {
      cacheUpgradeOrder(await upgradeApi.upgradeLeave({ id }))
    } catch (error) {
      toast.warning(isApiError(error) ? error.message : t('readFailed'))
    } finally {
      setLeaving(false)
      refreshUpgrades()
    }
  }
  return { leave, isLeaving }
}
