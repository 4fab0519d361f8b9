import { useEffect, useRef, type ComponentProps, type ReactNode, type RefObject } from 'react'
import { closeDialog, useDialog, type DialogName, type DialogPropsByName } from '#platform/web/state/dialogs.ts'
import { preloadCaptcha } from '#platform/web/calls/captcha.ts'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { useCurrentUser, type Me } from '../use-me.ts'

/** Dialogs are mounted outside the pages, so they bring their own query client. */
export function withQueries(Inner: () => ReactNode): () => ReactNode {
  return function Host() {
    return (
      <QueryProvider>
        <Inner />
      </QueryProvider>
    )
  }
}

const findField = (body: HTMLElement | null) => body?.querySelector<HTMLElement>('input:not([hidden])') ?? undefined

/** A small dialog for typing: focuses the first field, except on touch screens, where the keyboard would open. */
export function TypingDialog({ children, ...dialog }: ComponentProps<typeof Dialog>) {
  const body = useRef<HTMLDivElement>(null)
  return (
    <Dialog size="sm" {...dialog} initialFocus={(type) => (type === 'touch' ? true : (findField(body.current) ?? true))}>
      <div ref={body}>
        <LateField body={body} />
        {children}
      </div>
    </Dialog>
  )
}

/** Focuses a field that is rendered after a response, unless the user has focused something else. */
function LateField({ body }: { readonly body: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    const content = body.current
    if (!content || findField(content) || matchMedia('(pointer: coarse)').matches) return
    const popup = content.closest('[role="dialog"]')
    let first: Element | undefined
    const late = new MutationObserver(() => {
      const field = findField(content)
      const now = document.activeElement
      if (popup?.contains(now) && now !== popup) first ??= now ?? undefined
      if (!field) return
      late.disconnect()
      if (now === first || now === popup || now === document.body) field.focus()
    })
    late.observe(content, { childList: true, subtree: true })
    return () => late.disconnect()
  }, [body])
  return null
}

interface NamedDialog<N extends DialogName> {
  readonly open: boolean
  readonly props: DialogPropsByName[N] | undefined
  readonly close: () => void
  /** Changes with each opening, to reset the dialog's state. */
  readonly turn: number
}

/** A named dialog that keeps its last props during the closing animation. */
export function useNamedDialog<N extends DialogName>(name: N): NamedDialog<N> {
  const props = useDialog(name)
  const last = useRef<{ props: DialogPropsByName[N] | undefined; turn: number }>({ props, turn: 0 })
  if (props && props !== last.current.props) {
    last.current = { props, turn: last.current.turn + 1 }
    preloadCaptcha()
  }
  return { open: props !== undefined, props: props ?? last.current.props, close: () => closeDialog(name), turn: last.current.turn }
}

/** Renders its children once the user is loaded; shows a skeleton or an error until then. */
export function WithMe({ children }: { readonly children: (me: Me) => ReactNode }) {
  const me = useCurrentUser()
  if (me.data) return <>{children(me.data)}</>
  return me.isError ? <ErrorState error={me.error} onRetry={() => void me.refetch()} /> : <SkeletonRows rows={3} />
}
