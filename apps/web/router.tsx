import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { RouterHistory } from '@tanstack/react-router'
import { loadBrowser } from '#features/browser/web/index.tsx'
import { loadBills, loadCard, loadOpening } from '#features/cards/web/index.tsx'
import { loadFlex, loadVoice } from '#features/flex/web/index.tsx'
import { loadInvitations } from '#features/invitations/web/index.tsx'
import { loadMailbox } from '#features/mailbox/web/index.tsx'
import { loadNumbers } from '#features/numbers/web/index.tsx'
import { loadNotice, loadOrders, loadPapers, loadPayResult, loadWithdrawals } from '#features/payments/web/index.tsx'
import { loadNetwork } from '#features/proxy/web/index.tsx'
import { loadRegistration } from '#features/registration/web/index.tsx'
import { loadRemote, loadRemoteScreen } from '#features/remote/web/index.tsx'
import { loadCompatibility, loadHelp, loadLanding, loadLegal, loadPricing, loadProtocol, loadService, loadServiceLanding } from '#features/site/web/index.tsx'
import { loadUpgrade } from '#features/upgrade/web/index.tsx'
import { storeValue } from '#platform/web/state/storage.ts'
import { getSessionToken } from '#platform/web/state/session.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { isPublic } from './access.ts'
import { createLangRewrite } from './lang-path.ts'
import { ErrorPage, WholeErrorPage } from './layout/error-page.tsx'
import { PagePending } from './layout/pending.tsx'
import { WebRootLayout } from './layout/root-layout.tsx'
import { redirectToLanding, redirectToPaymentHelp, redirectToRecords, redirectIfSessionValid, redirectToTarget } from './redirects.ts'
import { parseSearch, stringifySearch } from './search-text.ts'
import type { Search } from './search-text.ts'

const root = createRootRoute({
  component: WebRootLayout,
  validateSearch: (search: Record<string, unknown>) => search as Search,
  notFoundComponent: lazyRouteComponent(() => import('./layout/not-found.tsx'), 'WebNotFound'),
  errorComponent: WholeErrorPage,
})

const site = createRoute({
  getParentRoute: () => root,
  id: 'site',
  errorComponent: WholeErrorPage,
  component: lazyRouteComponent(() => import('./layout/site-layout.tsx'), 'SiteLayout'),
})
const home = createRoute({
  getParentRoute: () => site,
  path: '/',
  beforeLoad: ({ search }) => {
    if (search['code'] && !getSessionToken()) storeValue('invite', search['code'])
  },
  component: lazyRouteComponent(loadLanding, 'LandingPage'),
})
const terms = createRoute({
  getParentRoute: () => site,
  path: '/terms',
  component: lazyRouteComponent(loadLegal, 'TermsPage'),
})
const privacy = createRoute({
  getParentRoute: () => site,
  path: '/privacy',
  component: lazyRouteComponent(loadLegal, 'PrivacyPage'),
})
const protocol = createRoute({
  getParentRoute: () => site,
  path: '/protocol',
  component: lazyRouteComponent(loadProtocol, 'ProtocolPage'),
})
const help = createRoute({
  getParentRoute: () => site,
  path: '/help',
  loader: () => loadHelp().then((module) => module.preloadArticle('quick-start')),
  component: lazyRouteComponent(loadHelp, 'HelpPage'),
})
const helpArticle = createRoute({
  getParentRoute: () => site,
  path: '/help/$slug',
  loader: ({ params }) => loadHelp().then((module) => module.preloadArticle(params.slug)),
  component: lazyRouteComponent(loadHelp, 'HelpArticlePage'),
})
const pricing = createRoute({
  getParentRoute: () => site,
  path: '/pricing',
  component: lazyRouteComponent(loadPricing, 'PricingPage'),
})
const service = createRoute({
  getParentRoute: () => site,
  path: '/service',
  component: lazyRouteComponent(loadService, 'ServicePage'),
})
const serviceLanding = createRoute({
  getParentRoute: () => site,
  path: '/service/$id',
  loader: ({ params }) => loadServiceLanding().then((module) => module.checkLanding(params.id)),
  component: lazyRouteComponent(loadServiceLanding, 'ServiceLanding'),
})
const voice = createRoute({ getParentRoute: () => site, path: '/voice', component: lazyRouteComponent(loadVoice, 'VoicePage') })
const compatibility = createRoute({
  getParentRoute: () => site,
  path: '/compatibility',
  component: lazyRouteComponent(loadCompatibility, 'CompatibilityPage'),
})
const payResult = createRoute({
  getParentRoute: () => site,
  path: '/pay-result',
  component: lazyRouteComponent(loadPayResult, 'PayResultPage'),
})
const payNotice = createRoute({
  getParentRoute: () => site,
  path: '/pay-notice',
  component: lazyRouteComponent(loadNotice, 'PayNoticePage'),
})
const payService = createRoute({
  getParentRoute: () => site,
  path: '/pay-service',
  component: lazyRouteComponent(loadNotice, 'PayServicePage'),
})
const login = createRoute({
  getParentRoute: () => site,
  path: '/login',
  beforeLoad: redirectToTarget,
  component: lazyRouteComponent(() => import('#features/account/web/index.tsx'), 'LoginPage'),
})
const invite = createRoute({ getParentRoute: () => root, path: '/invite/{-$id}', beforeLoad: redirectToLanding })
const invitation = createRoute({ getParentRoute: () => site, path: '/i/$id', component: lazyRouteComponent(loadInvitations, 'InviteLanding') })

const console = createRoute({
  getParentRoute: () => root,
  id: 'console',
  errorComponent: WholeErrorPage,
  // Guards every console page: without a session it redirects to the sign-in, which returns to the same path and query.
  beforeLoad: ({ search, location }) => {
    if (!getSessionToken() && !isPublic(location.pathname, search)) throw redirect({ to: '/login', search: { redirect: location.href } })
  },
  component: lazyRouteComponent(() => import('./layout/console-layout.tsx'), 'ConsoleLayout'),
})
const api = createRoute({
  getParentRoute: () => console,
  path: '/api',
  component: lazyRouteComponent(() => import('./layout/api-route.tsx'), 'ApiRoute'),
})
const inConsole = { getParentRoute: () => console }
const orders = createRoute({ ...inConsole, path: '/orders', component: lazyRouteComponent(loadOrders, 'OrdersPage') })
const order = createRoute({ ...inConsole, path: '/orders/$orderNo', component: lazyRouteComponent(loadOrders, 'OrderPage') })
const withdrawals = createRoute({ ...inConsole, path: '/withdrawals', component: lazyRouteComponent(loadWithdrawals, 'WithdrawalsPage') })
const withdrawal = createRoute({ ...inConsole, path: '/withdrawals/$withdrawalNo', component: lazyRouteComponent(loadWithdrawals, 'WithdrawalPage') })
const papers = createRoute({ ...inConsole, path: '/receipts', component: lazyRouteComponent(loadPapers, 'PapersPage') })
const card = createRoute({ ...inConsole, path: '/card', component: lazyRouteComponent(loadCard, 'CardPage') })
const selectCard = createRoute({ ...inConsole, path: '/select-card', component: lazyRouteComponent(loadCard, 'SelectCardPage') })
const bill = createRoute({ ...inConsole, path: '/bill', component: lazyRouteComponent(loadBills, 'BillsPage') })
const record = createRoute({ ...inConsole, path: '/record', beforeLoad: redirectToRecords })
/** `paymentSituations` (product.md 1.2). */
const paymentSituations = createRoute({ getParentRoute: () => root, path: '/payment-situations', beforeLoad: redirectToPaymentHelp })
const recordMobile = createRoute({ ...inConsole, path: '/record-mobile', beforeLoad: redirectToRecords })
const network = createRoute({ ...inConsole, path: '/network', component: lazyRouteComponent(loadNetwork, 'NetworkPage') })
const browser = createRoute({ ...inConsole, path: '/browser', component: lazyRouteComponent(loadBrowser, 'BrowserPage') })
const remote = createRoute({ ...inConsole, path: '/remote', component: lazyRouteComponent(loadRemote, 'RemotePage') })
const inviteRecord = createRoute({ ...inConsole, path: '/invite-record', component: lazyRouteComponent(loadInvitations, 'InvitationsPage') })
const mailbox = createRoute({ ...inConsole, path: '/email', component: lazyRouteComponent(loadMailbox, 'MailboxPage') })
const registration = createRoute({ ...inConsole, path: '/openai-register', component: lazyRouteComponent(loadRegistration, 'RegistrationPage') })
const numbers = createRoute({ ...inConsole, path: '/sms', component: lazyRouteComponent(loadNumbers, 'NumbersPage') })
const upgrade = createRoute({ ...inConsole, path: '/gpt-upgrade', component: lazyRouteComponent(loadUpgrade, 'UpgradePage') })
const forward = createRoute({
  ...inConsole,
  path: '/api-forwards',
  component: lazyRouteComponent(() => import('#features/gateway/web/index.tsx').then((module) => module.loadForward()), 'ForwardPage'),
})
const flex = createRoute({ ...inConsole, path: '/gpt-plus-share', component: lazyRouteComponent(loadFlex, 'FlexPage') })
/** Redirects the chats' own addresses to the page that opens them. */
const redirectToFlex = (tab: string) => () => {
  throw redirect({ to: '/gpt-plus-share', search: { tab }, replace: true })
}
const chatgpt = createRoute({ ...inConsole, path: '/chatgpt', beforeLoad: redirectToFlex('chatgpt') })
const claude = createRoute({ ...inConsole, path: '/claude', beforeLoad: redirectToFlex('claude') })
const sora = createRoute({ ...inConsole, path: '/sora', beforeLoad: redirectToFlex('sora') })
const account = createRoute({
  getParentRoute: () => console,
  path: '/account',
  component: lazyRouteComponent(() => import('#features/account/web/index.tsx'), 'AccountPage'),
})
const googleReturn = createRoute({
  getParentRoute: () => root,
  path: '/oauth/google',
  component: lazyRouteComponent(() => import('#features/account/web/index.tsx'), 'GoogleReturn'),
})

/** Account opening: a separate flow without the console's frame, and the addresses that open one of its steps. */
const inOpening = {
  getParentRoute: () => root,
  errorComponent: WholeErrorPage,
  beforeLoad: ({ location }: { readonly location: { readonly href: string } }) => {
    if (!getSessionToken()) throw redirect({ to: '/login', search: { redirect: location.href } })
  },
}
const opening = createRoute({ ...inOpening, path: '/open-account', component: lazyRouteComponent(loadOpening, 'OpeningPage') })
/** The remote browser takes the whole window. */
const remoteScreen = createRoute({ ...inOpening, path: '/remote/screen', component: lazyRouteComponent(loadRemoteScreen, 'RemoteScreen') })
const intoOpening = (['/open-account-payment', '/verify-information-for-existing-user', '/face-verify-for-existing-user', '/face-verify'] as const).map(
  (path) => createRoute({ ...inOpening, path, component: lazyRouteComponent(loadOpening, 'OpeningPage') }),
)
const faceRedirect = createRoute({ ...inOpening, path: '/face-verify-redirect', component: lazyRouteComponent(loadOpening, 'FaceRedirectPage') })
const faceResult = createRoute({ ...inOpening, path: '/pay-face-verify-result', component: lazyRouteComponent(loadOpening, 'FaceResultPage') })

/** Sign-in without header and footer, for a window that another page opened. */
const embedLogin = createRoute({
  getParentRoute: () => root,
  path: '/embed-login',
  beforeLoad: redirectIfSessionValid,
  component: lazyRouteComponent(() => import('./layout/embed-login.tsx'), 'EmbedLogin'),
})

const boards = () => import('./dev-ui/boards.ts')
const testIcon = createRoute({
  getParentRoute: () => root,
  path: '/test-icon',
  component: lazyRouteComponent(async () => (await boards()).loadIcons(), 'TestIcon'),
})
const devUi = createRoute({ getParentRoute: () => root, path: '/dev/ui', component: lazyRouteComponent(async () => (await boards()).loadBoard(), 'DevUi') })

const routeTree = root.addChildren([
  site.addChildren([
    home,
    pricing,
    service,
    serviceLanding,
    voice,
    compatibility,
    help,
    helpArticle,
    terms,
    privacy,
    protocol,
    payResult,
    payNotice,
    payService,
    login,
    invitation,
  ]),
  console.addChildren([
    api,
    orders,
    order,
    withdrawals,
    withdrawal,
    papers,
    inviteRecord,
    network,
    browser,
    remote,
    account,
    card,
    selectCard,
    bill,
    record,
    recordMobile,
    mailbox,
    registration,
    numbers,
    upgrade,
    forward,
    flex,
    chatgpt,
    claude,
    sora,
  ]),
  opening,
  remoteScreen,
  ...intoOpening,
  faceRedirect,
  faceResult,
  paymentSituations,
  invite,
  googleReturn,
  embedLogin,
  testIcon,
  devUi,
])

/** Milliseconds before a lazy page shows that it is loading (product.md 1.9). */
const LAZY_WAIT_MS = 300

/** Creates the router: one per browser; the prerenderer creates one for each page, with its own history and language. */
export function createWebRouter(server?: { readonly history: RouterHistory; readonly lang: Lang }) {
  return createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    rewrite: createLangRewrite(server?.lang),
    ...(server ? { history: server.history } : {}),
    // Its inline script is for streaming, and the policy forbids it.
    scrollRestoration: !server,
    defaultPreload: 'intent',
    defaultErrorComponent: ErrorPage,
    defaultPendingComponent: PagePending,
    defaultPendingMs: LAZY_WAIT_MS,
    defaultPendingMinMs: 400,
  })
}
export type AppRouter = ReturnType<typeof createWebRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
