package account
