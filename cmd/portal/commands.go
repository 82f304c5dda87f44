package main

import (
	"portal/cmd/portal/cli"
)

func commands() []cli.Command {
	return []cli.Command{
		serveCommand,
		migrateCommand,
		healthCommand,
		cli.UserAdd,
		cli.MemberAdd,
		cli.AccessRequest,
		cli.AccessList,
		cli.AccessApprove,
		cli.AccessDeny,
		cli.AccessRevoke,
		cli.PlanSet,
		cli.KeyCreate,
		cli.KeyList,
		cli.KeyRevoke,
		cli.WebhookUpdate,
		cli.WebhookTest,
		cli.WebhookEvents,
		cli.WebhookEvent,
		cli.WebhookDeliveries,
		cli.WebhookDelivery,
		cli.WebhookRedeliver,
		cli.WebhookEnable,
		cli.WebhookResend,
		cli.WebhookVerify,
		cli.MailList,
		cli.MailShow,
		cli.SecretRotate,
		backupCommand,
		restoreCommand,
		cli.Activity,
		cli.Import,
		cli.AgreementVerify,
		cli.TenantLink,
		cli.Trigger,
		cli.Listen,
		openapiCommand,
		versionCommand,
	}
}
