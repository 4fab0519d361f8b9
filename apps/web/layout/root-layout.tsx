import { Outlet, CatchBoundary } from '@tanstack/react-router'
import { useTexts, translate } from '#platform/web/i18n.ts'
import { shellTexts } from '../texts.ts'
import { lazy, Suspense } from 'react'
import type { ComponentType } from 'react'
import { loadRechargeDialog, loadWithdrawDialog } from '#features/payments/web/index.tsx'
import { loadProtocol } from '#features/site/web/index.tsx'
import { useCaptchaStore } from '#platform/web/calls/captcha.ts'
import { closeDialog, useOpenedDialogs } from '#platform/web/state/dialogs.ts'
import type { DialogName } from '#platform/web/state/dialogs.ts'
import { lazyExtra } from '#platform/web/lazy-extra.ts'
import { useNotices } from '#platform/web/state/notice.ts'
import { useOutsideStore } from '#platform/web/state/outside.ts'
import { useSupportRequested } from '#platform/web/state/support.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { useIdle } from '#platform/web/use-idle.ts'
import { useConfirmStore } from '#ui/layers/confirm.ts'
import { toast, useToastStore } from '#ui/layers/toast.ts'

/** Dialogs and overlays: loaded on first use, and mounted from then on. */
const dialogs: Record<DialogName, ComponentType> = {
  auth: lazy(() => import('#features/account/web/index.tsx').then((m) => ({ default: m.AuthModal }))),
  recharge: lazy(() => loadRechargeDialog().then((m) => ({ default: m.BalanceRechargeDialog }))),
  withdraw: lazy(() => loadWithdrawDialog().then((m) => ({ default: m.BalanceWithdrawDialog }))),
  complaint: lazy(() => import('../overlays/complaint-dialog.tsx').then((m) => ({ default: m.ComplaintDialog }))),
  email: lazy(() => import('#features/account/web/index.tsx').then((m) => ({ default: m.EmailDialog }))),
  mobile: lazy(() => import('#features/account/web/index.tsx').then((m) => ({ default: m.MobileDialog }))),
  password: lazy(() => import('#features/account/web/index.tsx').then((m) => ({ default: m.PasswordDialog }))),
  payPassword: lazy(() => import('#features/account/web/index.tsx').then((m) => ({ default: m.PayPasswordDialog }))),
  deleteAccount: lazy(() => import('#features/account/web/index.tsx').then((m) => ({ default: m.DeleteDialog }))),
  palette: lazy(() => import('../palette/palette-host.tsx').then((m) => ({ default: m.PaletteHost }))),
  protocol: lazy(() => loadProtocol().then((m) => ({ default: m.ProtocolDialog }))),
  shortcuts: lazy(() => import('../keys/shortcuts-dialog.tsx').then((m) => ({ default: m.ShortcutsDialog }))),
}

/** Hosts that no dialog name opens: a hook decides when each is needed. */
const hosts: readonly { readonly key: string; readonly useWanted: () => boolean; readonly Host: ComponentType }[] = [
  {
    key: 'toast',
    // Loaded early: a toast may have to report that the network is gone.
    useWanted: () => [useIdle(), useToastStore((state) => state.toast !== undefined)].includes(true),
    Host: lazyExtra(() => import('#ui/layers/toast-host.tsx').then((m) => m.ToastHost)),
  },
  {
    key: 'confirm',
    useWanted: () => [useIdle(), useConfirmStore((state) => state.used)].includes(true),
    Host: lazyExtra(() => import('#ui/layers/confirm-host.tsx').then((m) => m.ConfirmHost)),
  },
  {
    key: 'captcha',
    useWanted: () => useCaptchaStore((state) => state.used),
    Host: lazyExtra(() => import('#features/risk/web/index.tsx').then((m) => m.CaptchaHost)),
  },
  {
    key: 'account',
    useWanted: useSignedIn,
    Host: lazyExtra(() => import('#features/account/web/index.tsx').then((m) => m.SignedInHosts)),
  },
  {
    key: 'notice',
    useWanted: () => useNotices((state) => state.used),
    Host: lazyExtra(() => import('../overlays/notice-host.tsx').then((m) => m.NoticeHost)),
  },
  {
    key: 'outside',
    useWanted: () => useOutsideStore((state) => state.used),
    Host: lazyExtra(() => import('../overlays/outside-host.tsx').then((m) => m.OutsideHost)),
  },
  {
    key: 'support',
    useWanted: () => [useIdle(), useSupportRequested()].includes(true),
    Host: lazyExtra(() => import('#features/support/web/index.tsx').then((m) => m.SupportHost)),
  },
  { key: 'extras', useWanted: useIdle, Host: lazyExtra(() => import('./extras.tsx').then((m) => m.Extras)) },
]

function Hosts() {
  const opened = useOpenedDialogs()
  return (
    <>
      {[...opened].map((name) => (
        <Guarded key={name} name={name} Host={dialogs[name]} />
      ))}
      {hosts.map((host) => (
        <HostOnDemand key={host.key} host={host} />
      ))}
    </>
  )
}

function HostOnDemand({ host: { useWanted, Host } }: { readonly host: (typeof hosts)[number] }) {
  return useWanted() ? <Guarded Host={Host} /> : null
}

/** Reports a dialog whose code cannot be loaded, without affecting the page. */
function Guarded({ name, Host }: { readonly name?: DialogName; readonly Host: ComponentType }) {
  return (
    <CatchBoundary
      getResetKey={() => 0}
      errorComponent={Nothing}
      onCatch={() => {
        if (!name) return
        closeDialog(name)
        toast.error(translate(shellTexts, 'hostFailed'))
      }}
    >
      <Suspense fallback={name ? <LoadingIndicator /> : null}>
        <Host />
      </Suspense>
    </CatchBoundary>
  )
}

/** Loading indicator while a requested dialog's code loads: appears after a delay (kit.css) and does not block the page. */
function LoadingIndicator() {
  return (
    <div role="status" aria-label={translate(shellTexts, 'loading')} className="popup late-dialog">
      <span className="spinner block" />
    </div>
  )
}

function Nothing() {
  return null
}

export function WebRootLayout() {
  const t = useTexts(shellTexts)
  return (
    <>
      <a href="#main" className="sr-only z-3100 rounded-control bg-fg px-4 py-2 text-14 text-bg focus:not-sr-only focus:fixed focus:top-2 focus:left-2">
        {t('skip')}
      </a>
      <div id="strip" className="min-h-(--strip)" />
      <Outlet />
      <Hosts />
    </>
  )
}
