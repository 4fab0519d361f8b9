import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { uiTexts } from '../texts.ts'
import { useToastStore, type ToastKind } from './toast.ts'

const manager = Toast.createToastManager()
const icons = { success: CircleCheck, info: Info, warning: TriangleAlert, error: CircleAlert }
const colors: Record<ToastKind, string> = { success: 'text-success', info: 'text-info', warning: 'text-warning', error: 'text-danger' }
const SHOWN_MS: Record<ToastKind, number> = { success: 4_000, info: 4_000, warning: 6_000, error: 6_000 }

/** Mounted by the shell with the first toast. */
export function ToastHost() {
  const t = useTexts(uiTexts)
  const next = useToastStore((state) => state.toast)
  useEffect(() => {
    if (!next) return
    const id = manager.add({ title: next.text, type: next.kind, timeout: next.ms ?? SHOWN_MS[next.kind], priority: next.kind === 'error' ? 'high' : 'low' })
    return () => manager.close(id)
  }, [next])
  return (
    <Toast.Provider limit={1} toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport aria-label={t('notices')} className="fixed inset-x-0 top-3 z-3100 mx-auto flex w-full max-w-[440px] flex-col items-center px-4">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List() {
  const t = useTexts(uiTexts)
  const { toasts } = Toast.useToastManager()
  return toasts
    .filter((item) => !item.limited)
    .map((item) => {
      const kind = (item.type ?? 'info') as ToastKind
      const Icon = icons[kind]
      return (
        <Toast.Root key={item.id} toast={item} swipeDirection="up" className="popup max-w-full data-[ending-style]:hidden">
          <Toast.Content className="flex items-center gap-2.5 py-1 pr-1 pl-4 text-14">
            <Icon size={18} strokeWidth={1.75} aria-hidden="true" className={`shrink-0 ${colors[kind]}`} />
            <Toast.Title className="min-w-0 py-2" render={<p />} />
            <Toast.Close className="icon-btn shrink-0" aria-label={t('close')} title={t('close')}>
              <X size={16} strokeWidth={1.75} aria-hidden="true" />
            </Toast.Close>
          </Toast.Content>
        </Toast.Root>
      )
    })
}
