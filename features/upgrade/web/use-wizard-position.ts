import { useNavigate, useSearch } from '@tanstack/react-router'
import { useOnceHydrated } from '#platform/web/hydrated.ts'
import type { WizardPosition } from './words.ts'

/** The step in the URL. Each step is a history entry, so Back returns to the one before. */
export function useWizardPosition(): readonly [WizardPosition, (place: WizardPosition) => void] {
  const search = useSearch({ strict: false }) as WizardPosition
  const navigate = useNavigate()
  const set = ({ step, service }: WizardPosition) => {
    void navigate({ to: '.', search: (old) => ({ ...old, step, service }), resetScroll: false })
  }
  return [{ step: useOnceHydrated(search.step), service: useOnceHydrated(search.service) }, set]
}

/** The order in the URL; '' for the current one. Opening an order leaves the steps. */
export function useSelectedOrder(): readonly [string, (id: string) => void] {
  const { id } = useSearch({ strict: false }) as { readonly id?: unknown }
  const navigate = useNavigate()
  const set = (next: string) => {
    const at = { id: next || undefined, step: undefined, service: undefined }
    void navigate({ to: '.', search: (old) => ({ ...old, ...at }), replace: true, resetScroll: false })
  }
  return [useOnceHydrated(typeof id === 'string' ? id : undefined) ?? '', set]
}
