DemoProviderCommand.main()
