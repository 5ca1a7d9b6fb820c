import type { ThreeDsDependencies } from '#commands/threeDs/card.ts';
import type { Route } from '#http/route.ts';
import { accountUpdaterRoutes } from '#http/routes/accountUpdater.ts';
import type { AccountUpdaterDependencies } from '#http/routes/accountUpdater.ts';
import { applicationKeyRoutes } from '#http/routes/applicationKeys.ts';
import { applicationTemplateRoutes } from '#http/routes/applicationTemplates.ts';
import { applicationRoutes } from '#http/routes/applications.ts';
import { connectionFormulaRoutes } from '#http/routes/connectionFormulas.ts';
import { connectionRoutes } from '#http/routes/connections.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { detokenizeRoutes } from '#http/routes/detokenize.ts';
import { threeDsPageRoutes } from '#http/routes/threeDsPages.ts';
import { threeDsSessionRoutes } from '#http/routes/threeDsSessions.ts';
import { tokenizeRoutes } from '#http/routes/tokenize.ts';
import { tokenSearchRoutes } from '#http/routes/tokenSearch.ts';
import { logRoutes } from '#http/routes/logs.ts';
import { permissionRoutes } from '#http/routes/permissions.ts';
import { refundRoutes } from '#http/routes/refunds.ts';
import { approvalRoutes } from '#http/routes/approvals.ts';
import { notificationRoutes } from '#http/routes/notifications.ts';
import { proxyRoutes } from '#http/routes/proxies.ts';
import { proxyInvocationRoutes } from '#http/routes/proxy.ts';
import { reactRoutes } from '#http/routes/react.ts';
import type { ReactDependencies } from '#http/routes/react.ts';
import { reactorLogRoutes } from '#http/routes/reactorLogs.ts';
import type { ReactorLogDependencies } from '#http/routes/reactorLogs.ts';
import { reactorRoutes } from '#http/routes/reactors.ts';
import { reactorInvocationRoutes } from '#http/routes/reactorInvocations.ts';
import { sessionRoutes } from '#http/routes/sessions.ts';
import { tenantInvitationRoutes } from '#http/routes/tenantInvitations.ts';
import { tenantMemberRoutes } from '#http/routes/tenantMembers.ts';
import { tenantRoutes } from '#http/routes/tenants.ts';
import type { TenantDependencies } from '#http/routes/tenants.ts';
import { webhookDeliveryRoutes } from '#http/routes/webhookDeliveries.ts';
import type { WebhookDeliveryDependencies } from '#http/routes/webhookDeliveries.ts';
import { webhookRoutes } from '#http/routes/webhooks.ts';
import { tokenRoutes } from '#http/routes/tokens.ts';
import { transactionRoutes } from '#http/routes/transactions.ts';
import type { InvokeProxyDependencies } from '#src/proxies/invoke.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';

/** The published interface. */
export const allRoutes = (
  dependencies: RouteDependencies &
    ReactDependencies &
    ReactorLogDependencies &
    ThreeDsDependencies &
    InvokeProxyDependencies &
    PaymentDependencies &
    AccountUpdaterDependencies &
    WebhookDeliveryDependencies &
    TenantDependencies,
): Route[] => [
  ...tokenRoutes(dependencies),
  ...tokenSearchRoutes(dependencies),
  ...tokenizeRoutes(dependencies),
  ...detokenizeRoutes(dependencies),
  ...applicationRoutes(dependencies),
  ...applicationKeyRoutes(dependencies),
  ...permissionRoutes(),
  ...applicationTemplateRoutes(),
  ...reactorRoutes(dependencies),
  ...reactRoutes(dependencies),
  ...reactorInvocationRoutes(dependencies),
  ...reactorLogRoutes(dependencies),
  ...proxyRoutes(dependencies),
  ...proxyInvocationRoutes(dependencies),
  ...connectionFormulaRoutes(),
  ...connectionRoutes(dependencies),
  ...threeDsSessionRoutes(dependencies),
  ...threeDsPageRoutes(dependencies),
  ...transactionRoutes(dependencies),
  ...refundRoutes(dependencies),
  ...approvalRoutes(dependencies),
  ...notificationRoutes(dependencies),
  ...accountUpdaterRoutes(dependencies),
  ...sessionRoutes(dependencies),
  ...tenantRoutes(dependencies),
  ...logRoutes(dependencies),
  ...tenantInvitationRoutes(dependencies),
  ...tenantMemberRoutes(dependencies),
  ...webhookRoutes(dependencies),
  ...webhookDeliveryRoutes(dependencies),
];
